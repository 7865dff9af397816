// Uses the page of `brewery ui` in Chromium as people do, and prints what is wrong
// with it as JSON: {"views": [names], "findings": [lines]}.
//
//   node use_ui.mjs MODULES CHROMIUM ADDRESS PLACES [FOLDER_FOR_PICTURES]
//
// PLACES is JSON: addresses behind the # by name, each with a text that must show.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import path from "node:path";

const [modules, chromium, address, given, pictures] = process.argv.slice(2);
const from = createRequire(path.resolve(modules) + path.sep);
const playwright = from("playwright-core");
const axe = readFileSync(from.resolve("axe-core/axe.min.js"), "utf8");
const places = JSON.parse(given);
const findings = [];
const seen = [];

async function open(browser, colorScheme, width, say) {
  const context = await browser.newContext({
    colorScheme, viewport: { width, height: 900 },
    bypassCSP: false });
  const tab = await context.newPage();
  tab.on("console", (message) => say(`console: ${message.text()}`));
  tab.on("pageerror", (error) => say(`error: ${error.message}`));
  tab.on("request", (request) => {
    if (!request.url().startsWith(address)) say(`request: ${request.url()}`);
  });
  return { context, tab };
}

async function look(browser, name, { hash, shows }, colorScheme, width) {
  const view = `${name} ${colorScheme} ${width}`;
  const say = (what) => findings.push(`${view}: ${what}`);
  const { context, tab } = await open(browser, colorScheme, width, say);
  await tab.goto(`${address}#${hash}`);
  try {
    await tab.getByText(shows).filter({ visible: true }).first()
      .waitFor({ timeout: 60_000 });
    await tab.waitForFunction(() =>
      !document.body.innerText.includes("Loading …"), null,
      { timeout: 60_000 });
  } catch {
    say(`does not show "${shows}": ${(await tab.innerText("body"))
      .slice(0, 200)}`);
  }
  if (pictures)
    await tab.screenshot({ fullPage: true,
      path: path.join(pictures, `${name}-${colorScheme}-${width}.png`) });
  const wide = await tab.evaluate(() => document.documentElement.scrollWidth);
  if (wide > width) say(`${wide} px wide`);
  await tab.evaluate(axe);
  const { violations } = await tab.evaluate(() => window.axe.run());
  for (const { id, help, nodes } of violations)
    say(`axe: ${id}: ${help}: ${nodes[0].html} (${nodes.length})`);
  await context.close();
  seen.push(view);
}

/// From the list of runs to a rollout, by links and keys alone.
async function walk(browser) {
  const say = (what) => findings.push(`walk: ${what}`);
  const { context, tab } = await open(browser, "light", 1280, say);
  tab.setDefaultTimeout(60_000);
  const expect = async (what, holds) => {
    try {
      await tab.waitForFunction(holds, null, { timeout: 60_000 });
    } catch { say(`${what} (at ${tab.url()})`); }
  };
  await tab.goto(address);
  await tab.getByLabel("Name or group").fill("no such run");
  await expect("the filter hides the runs",
               () => !document.querySelector("tbody tr"));
  await tab.getByLabel("Name or group").fill("");
  await tab.getByRole("button", { name: "score" }).click();
  await expect("a column sorts", () =>
    document.querySelector("[aria-sort=ascending]")?.textContent === "score");
  await tab.locator("tbody a").first().click();
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
  await expect("its difference to the parent is shown",
               () => document.querySelector(".diff .plus"));
  await tab.goBack();
  await expect("back leads back", () => !location.hash.endsWith("/1"));
  await tab.getByRole("link", { name: "Evidence" }).click();
  await tab.locator("summary").first().click();
  await tab.locator("details[open] a").first().click();
  await expect("evidence leads to a rollout and its steps", () =>
    location.hash.includes("/rollouts/") && document.querySelector(".step"));
  await context.close();
  seen.push("walk");
}

const browser = await playwright.chromium.launch({
  executablePath: chromium,
  args: ["--no-sandbox"] }); // containers have none, and the pages are ours
try {
  await walk(browser);
} catch (problem) {
  findings.push(`walk: ${problem.message.split("\n")[0]}`);
}
for (const [name, place] of Object.entries(places))
  for (const colorScheme of ["light", "dark"])
    for (const width of [1280, 360])
      await look(browser, name, place, colorScheme, width);
await browser.close();
console.log(JSON.stringify({ views: seen, findings }));
