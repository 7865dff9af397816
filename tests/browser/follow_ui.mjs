// Follows a run on the page of `brewery ui` in Chromium until it ends, in two tabs,
// and prints what is wrong as JSON: {"views": [names], "findings": [lines]}.
//
//   node follow_ui.mjs MODULES CHROMIUM ADDRESS RUN [FOLDER_FOR_PICTURES]

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import path from "node:path";

const [modules, chromium, address, run, pictures] = process.argv.slice(2);
const from = createRequire(path.resolve(modules) + path.sep);
const playwright = from("playwright-core");
const axe = readFileSync(from.resolve("axe-core/axe.min.js"), "utf8");
const findings = [];
const seen = [];

async function open(context) {
  const tab = await context.newPage();
  tab.setDefaultTimeout(60_000);
  tab.on("console", (message) => findings.push(`console: ${message.text()}`));
  tab.on("pageerror", (error) => findings.push(`error: ${error.message}`));
  await tab.goto(`${address}#/runs/${run}`);
  await tab.getByRole("heading", { name: "Now", exact: true }).waitFor();
  return tab;
}

const rollouts = (tab) => tab.evaluate(() => {
  const name = [...document.querySelectorAll("section.live dt")]
    .find((one) => one.textContent === "rollouts");
  return name ? parseInt(name.nextElementSibling.textContent, 10) : -1;
});

async function look(tab, colorScheme, width) {
  const view = `live ${colorScheme} ${width}`;
  await tab.emulateMedia({ colorScheme });
  await tab.setViewportSize({ width, height: 900 });
  if (pictures)
    await tab.screenshot({ fullPage: true,
      path: path.join(pictures, `live-${colorScheme}-${width}.png`) });
  const wide = await tab.evaluate(() => document.documentElement.scrollWidth);
  if (wide > width) findings.push(`${view}: ${wide} px wide`);
  await tab.evaluate(axe);
  const { violations } = await tab.evaluate(() => window.axe.run());
  for (const { id, help, nodes } of violations)
    findings.push(`${view}: axe: ${id}: ${help}: ${nodes[0].html}`);
  seen.push(view);
}

const browser = await playwright.chromium.launch({
  executablePath: chromium,
  args: ["--no-sandbox"] }); // containers have none, and the pages are ours
try {
  const context = await browser.newContext();
  await context.addInitScript(() => {
    const Plain = window.EventSource;
    window.streams = 0;
    window.EventSource = class extends Plain {
      constructor(...words) { super(...words); ++window.streams; }
    };
  });
  const tabs = [await open(context), await open(context)];
  const before = await Promise.all(tabs.map(rollouts));
  for (const [i, tab] of tabs.entries())
    await tab.waitForFunction((least) => {
      const name = [...document.querySelectorAll("section.live dt")]
        .find((one) => one.textContent === "rollouts");
      return name && parseInt(name.nextElementSibling.textContent, 10) > least;
    }, before[i]);
  const streams = await Promise.all(tabs.map((tab) =>
    tab.evaluate(() => window.streams)));
  if (streams[0] + streams[1] !== 1)
    findings.push(`two tabs have ${streams} streams`);
  for (const colorScheme of ["light", "dark"])
    for (const width of [1280, 360]) await look(tabs[0], colorScheme, width);
  await tabs[0].close(); // the other takes its stream over
  const then = await rollouts(tabs[1]);
  await tabs[1].waitForFunction((least) => {
    const name = [...document.querySelectorAll("section.live dt")]
      .find((one) => one.textContent === "rollouts");
    return !name || parseInt(name.nextElementSibling.textContent, 10) > least;
  }, then);
  await tabs[1].waitForFunction(() =>
    !document.querySelector("section.live")
    && document.querySelector("dd")?.textContent === "finished");
  await tabs[1].locator("main select").selectOption({ label: "rollouts" });
  await tabs[1].getByRole("img", { name: "over rollouts" }).waitFor();
  seen.push("to its end");
} catch (problem) {
  findings.push(problem.message.split("\n")[0]);
}
await browser.close();
console.log(JSON.stringify({ views: seen, findings }));
