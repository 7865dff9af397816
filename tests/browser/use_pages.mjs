// Uses the pages of `brewery ui` for sweeps, comparisons and knowledge bases in
// Chromium, and prints what is wrong as JSON: {"views": [names], "findings": [lines]}.
//
//   node use_pages.mjs MODULES CHROMIUM ADDRESS PLACES [FOLDER_FOR_PICTURES]
//
// PLACES is JSON: addresses behind the # by name, each with a text that must show.

import { watcher } from "./page_look.mjs";

const [modules, chromium, address, given, pictures] = process.argv.slice(2);
const { walk, lookAtAll, end } =
  await watcher({ modules, chromium, address, pictures });

await walk("sweep", async (tab, expect) => {
  await tab.goto(address);
  await tab.getByLabel("Name or group").fill("table");
  await expect("the filter hides the runs", () =>
    !document.querySelector("[aria-label=Runs] tbody tr"));
  await tab.getByRole("link", { name: "table", exact: true }).click();
  await tab.getByRole("heading", { name: "Sweep table" }).waitFor();
  await expect("the front of Pareto and a heat map are drawn", () =>
    document.querySelector("polyline.front")
    && document.querySelectorAll("rect.heat").length === 4);
  await expect("its points are lines over their options", () =>
    document.querySelectorAll(".parallel polyline:not(.faint)").length === 4
    && document.querySelectorAll(".parallel line.axis").length === 3);
  await tab.locator("select[title$='max_width']").focus();
  await tab.keyboard.type("3");
  await expect("a value chosen by keys leaves others faint, and out of the table",
    () => document.querySelectorAll(".parallel .faint").length === 2
      && document.querySelectorAll(
        "[aria-label='Points by seed'] tbody tr").length === 2);
  await tab.locator("select[title$='max_width']").selectOption("");
  await tab.getByLabel("Name, option or value").fill("max_width 3");
  await expect("options filter the points", () => document.querySelectorAll(
    "[aria-label='Points by seed'] tbody tr").length === 2);
  await tab.locator("[aria-label='Points by seed'] tbody a").first().focus();
  await tab.keyboard.press("Enter");
  await expect("a seed leads to its run", () =>
    document.querySelector("h1")?.textContent.startsWith("table/max_width-3"));
  await tab.locator("nav a", { hasText: "table" }).first().click();
  await expect("and back", () =>
    document.querySelector("h1")?.textContent === "Sweep table");
});
await walk("many", async (tab, expect) => {
  // As if there were hundreds of runs: a page of the list has two.
  await tab.route("**/api/runs?*", (route) => route.continue({
    url: route.request().url().replace("limit=200", "limit=2") }));
  await tab.goto(address);
  await expect("two of three runs are shown", () => document.querySelectorAll(
    "[aria-label=Runs] tbody tr").length === 2);
  await tab.getByLabel("Name or group").fill("first");
  await expect("one that is not shown yet is found", () =>
    document.querySelector("[aria-label=Runs] tbody tr td:nth-child(2)")
      ?.textContent === "first");
});
await walk("compare", async (tab, expect) => {
  await tab.goto(address);
  for (const run of ["second", "first"]) {
    await tab.getByLabel(`Compare ${run}`).focus();
    await tab.keyboard.press("Space");
  }
  await tab.getByRole("link", { name: "Compare second, first" }).click();
  await expect("two are compared", () => document.querySelectorAll(
    "[aria-label=Scores] tbody tr").length === 2);
  await tab.getByLabel("Show").selectOption("all");
  await expect("all tasks show", () => document.querySelectorAll(
    "[aria-label='Grades by task'] tbody tr").length === 24);
  await tab.locator("[aria-label='Grades by task'] tbody a").first().click();
  await expect("a grade leads to its rollouts", () => {
    const shown = [...document.querySelectorAll(
      "[aria-label=Rollouts] tbody tr")];
    return shown.length === 2
      && new Set(shown.map((one) => one.children[1].textContent)).size === 1;
  });
});
await walk("knowledge base", async (tab, expect) => {
  await tab.goto(`${address}#/runs/first`);
  await tab.getByRole("link", { name: "Knowledge base" }).click();
  await tab.getByLabel("Query").fill("Rack slot");
  await tab.keyboard.press("Enter");
  await expect("the best document is first", () =>
    document.querySelector(".documents a")?.textContent === "2 Rack"
    && document.querySelector(".documents p")?.textContent.includes("rank 1"));
  await expect("and open, with its lines", () =>
    document.querySelector(".panel h2")?.textContent === "Rack"
    && document.querySelector(".panel details"));
  await tab.getByLabel("Query").fill("xyzzy");
  await tab.keyboard.press("Enter");
  await expect("nothing is found", () =>
    document.body.innerText.includes("0 of 3 documents"));
});
await walk("memory", async (tab, expect) => {
  await tab.goto(`${address}#/runs/remembers`);
  await tab.locator("[aria-label=Memory] a").first().click();
  await expect("a document of the memory is shown, and no tree", () =>
    document.querySelector(".panel .line, .panel .step, .panel pre")
    && !document.querySelector(".panel").innerText.includes("Its tree"));
});
await walk("long", async (tab, expect) => {
  await tab.goto(`${address}#${JSON.parse(given).long.hash}`);
  await tab.locator(".step.here").waitFor();
  await expect("of a long transcript the part around a step comes", () =>
    !document.getElementById("step-1")
    && document.querySelectorAll(".step").length < 20);
  await tab.getByRole("button", { name: "Show earlier" }).click();
  await expect("and what was before it, without a gap", () => {
    const numbers = [...document.querySelectorAll(
      ".step[id^=step-]")].map((one) =>
      Number(one.id.split("-")[1]));
    return numbers[0] === 1
      && numbers.every((one, i) => one - numbers[0] === i);
  });
});
await lookAtAll(JSON.parse(given));
await end();
