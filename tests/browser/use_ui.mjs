// Uses the page of `brewery ui` in Chromium as people do, and prints what is wrong
// with it as JSON: {"views": [names], "findings": [lines]}.
//
//   node use_ui.mjs MODULES CHROMIUM ADDRESS PLACES [FOLDER_FOR_PICTURES]
//
// ADDRESS is that of a server, or file:///.../index.html of an exported run.
// PLACES is JSON: addresses behind the # by name, each with a text that must show.

import { watcher } from "./page_look.mjs";

const [modules, chromium, address, given, pictures] = process.argv.slice(2);
const { walk, lookAtAll, lookOnce, end } =
  await watcher({ modules, chromium, address, pictures });

/// From the list of runs to a rollout, by links and keys alone. A folder has one
/// run, and no list.
const listed = address.startsWith("http");
await walk("walk", async (tab, expect) => {
  await tab.goto(address);
  if (listed) {
    await tab.getByLabel("Name or group").fill("no such run");
    await expect("the filter hides the runs",
                 () => !document.querySelector("tbody tr"));
    await tab.getByLabel("Name or group").fill("");
    await tab.getByRole("button", { name: "score" }).click();
    await expect("a column sorts", () =>
      document.querySelector("[aria-sort=ascending]")?.textContent === "score");
    await tab.locator("tbody a").first().click();
  }
  await tab.locator("td.title a").first().click();
  await tab.locator(".tree a[aria-current]").waitFor();
  await tab.locator(".tree a[aria-current]").focus();
  for (let i = 0; i < 9; ++i) await tab.keyboard.press("ArrowLeft");
  await expect("left leads to the root",
               () => document.activeElement.id === "version-0");
  await tab.keyboard.press("ArrowRight");
  await expect("right leads to the first child",
               () => document.activeElement.id === "version-1");
  await tab.keyboard.press("Enter");
  await expect("Enter shows the version", () =>
    location.hash.endsWith("/1")
    && document.querySelector(".panel h2")?.textContent
      .startsWith("Version 1"));
  await expect("its tasks stand beside those of the parent", () =>
    [...document.querySelectorAll("[aria-label='Tasks of the version'] td")]
      .some((cell) => /^[+−]\d/.test(cell.textContent)));
  await expect("and within the panel, however long names of tasks are", () => {
    const table = document.querySelector("[aria-label='Tasks of the version']");
    table.querySelector("td.title").textContent = "[name|of_a_task]".repeat(12);
    return table.scrollWidth <= table.clientWidth;
  });
  await expect("its difference to the parent is shown",
               () => document.querySelector(".diff .plus"));
  await tab.getByRole("button", { name: "Side by side" }).press("Enter");
  await expect("and side by side", () =>
    document.querySelector(".diff.two td.plus"));
  const wide = await tab.locator(".tree svg").getAttribute("width");
  await tab.getByRole("button", { name: "Larger" }).click();
  await expect("the tree grows", (before) => Number(document.querySelector(
    ".tree svg").getAttribute("width")) > before, Number(wide));
  await expect("versions whose evaluation was stopped stay, dashed", () =>
    document.querySelector(".tree .stopped circle"));
  await tab.locator(".panel dd a").first().click();
  await expect("the panel leads to the parent", () =>
    document.querySelector(".panel h2")?.textContent.startsWith("Version 0"));
  await tab.locator(".panel dd a").first().click();
  await expect("and to a child", () =>
    document.querySelector(".panel h2")?.textContent.startsWith("Version 1"));
  await tab.goBack();
  await tab.goBack();
  await tab.goBack();
  await expect("back leads back", () =>
    /\/trees\/[^/]+\/\d+$/.test(location.hash));
  await tab.getByRole("link", { name: "Evidence" }).click();
  await tab.locator("summary").first().click();
  await tab.locator("details[open] a").first().click();
  await expect("evidence leads to a rollout and its steps", () =>
    location.hash.includes("/rollouts/") && document.querySelector(".step"));
  const tool = (await tab.locator(".step h3").last().innerText())
    .split(" ")[1];
  await tab.getByLabel("Text in steps").fill(tool.toUpperCase());
  await tab.keyboard.press("Enter");
  await expect("a text is found in steps, and how often", (word) =>
    /^\d+ of \d+ have it/.test(document.querySelector(
      "main form [role=status]")?.textContent ?? "")
    && [...document.querySelectorAll(".step")].length > 0
    && [...document.querySelectorAll(".step")].every((step) =>
      step.textContent.includes(word)), tool);
  await tab.locator(".step h3 a").last().click();
  await expect("a step has an address of its own", () =>
    /\/rollouts\/[^/]+\/\d+$/.test(location.hash)
    && document.querySelectorAll(".step.here").length === 1);
  await tab.reload();
  await expect("which leads to it", () => {
    const box = document.querySelector(".step.here")?.getBoundingClientRect();
    return box && box.top >= 0 && box.top < innerHeight;
  });
  const list = new URL(tab.url()).hash.replace(/\/[^/]+\/\d+$/, "");
  await tab.goto(`${address}${list}`);
  const rows = "[aria-label=Rollouts] tbody tr";
  await tab.locator(rows).first().waitFor();
  const before = await tab.locator(rows).count();
  await tab.getByRole("button", { name: "Show more" }).click();
  await expect("a list says how many of how many, and shows more", (least) =>
    document.querySelectorAll("[aria-label=Rollouts] tbody tr").length > least
    && /\d+ of \d+ rollouts/.test(document.querySelector("main").innerText),
    before);
  await tab.getByLabel("Text in steps").fill(tool.toUpperCase());
  await tab.getByRole("button", { name: "Show", exact: true }).click();
  await expect("rollouts are found by what their agents did", () =>
    location.hash.includes("text=")
    && document.querySelectorAll("[aria-label=Rollouts] tbody tr").length > 0);
  await tab.getByLabel("Text in steps").fill("nobody did this");
  await tab.getByRole("button", { name: "Show", exact: true }).click();
  await expect("and none by what none did", () =>
    document.querySelector("main").innerText.includes("0 of 0 rollouts"));
});
await (listed ? lookAtAll : lookOnce)(JSON.parse(given));
await end();
