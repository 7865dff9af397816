// Looks at pages in Chromium and collects what is wrong with them.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import path from "node:path";

/// `address`: of the page; what is beside it is all that may be asked for.
/// `pictures`: a folder, or none.
export async function watcher({ modules, chromium, address, pictures }) {
  const from = createRequire(path.resolve(modules) + path.sep);
  const axe = readFileSync(from.resolve("axe-core/axe.min.js"), "utf8");
  const browser = await from("playwright-core").chromium.launch({
    executablePath: chromium,
    args: ["--no-sandbox"] }); // containers have none, and the pages are ours
  const folder = address.replace(/[^/]*$/, "");
  const findings = [];
  const seen = [];

  async function open(colorScheme, width, say) {
    const context = await browser.newContext({
      colorScheme, viewport: { width, height: 900 },
      bypassCSP: false });
    const tab = await context.newPage();
    tab.on("console", (message) => say(`console: ${message.text()}`));
    tab.on("pageerror", (error) => say(`error: ${error.message}`));
    tab.on("request", (request) => {
      if (!request.url().startsWith(folder)) say(`request: ${request.url()}`);
    });
    return { context, tab };
  }

  async function look(name, { hash, shows }, colorScheme, width) {
    const view = `${name} ${colorScheme} ${width}`;
    const say = (what) => findings.push(`${view}: ${what}`);
    const { context, tab } = await open(colorScheme, width, say);
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
    // A page from disk may not fetch its style sheet, which axe would like to.
    const { violations } = await tab.evaluate((preload) =>
      // Describing what passes would take a fifth of its time.
      window.axe.run({ preload, resultTypes: ["violations"] }),
      address.startsWith("http"));
    for (const { id, help, nodes } of violations)
      say(`axe: ${id}: ${help}: ${nodes[0].html} (${nodes.length})`);
    await context.close();
    seen.push(view);
  }

  /// Steps of a person, by `walk(tab, expect)`: what shall hold, and when.
  async function walk(name, steps) {
    const say = (what) => findings.push(`${name}: ${what}`);
    const { context, tab } = await open("light", 1280, say);
    tab.setDefaultTimeout(60_000);
    const expect = async (what, holds, given = null) => {
      try {
        await tab.waitForFunction(holds, given, { timeout: 60_000 });
      } catch { say(`${what} (at ${tab.url()})`); }
    };
    try {
      await steps(tab, expect);
    } catch (problem) {
      say(problem.message.split("\n")[0]);
    }
    await context.close();
    seen.push(name);
  }

  /// Every place light and dark, in a wide and in a narrow window; with
  /// BREWERY_SHARE=2 light in the wide one and dark in the narrow one.
  async function lookAtAll(places) {
    const views = [["light", 1280], ["dark", 360], ["dark", 1280],
      ["light", 360]];
    const share = Number(process.env.BREWERY_SHARE ?? 1);
    for (const [name, place] of Object.entries(places))
      for (const view of views.slice(0, Math.ceil(views.length / share)))
        await look(name, place, ...view);
  }

  /// For places whose looks are those of others.
  async function lookOnce(places) {
    for (const [name, place] of Object.entries(places))
      await look(name, place, "dark", 360);
  }

  async function end() {
    await browser.close();
    console.log(JSON.stringify({ views: seen, findings }));
  }
  return { walk, lookAtAll, lookOnce, end };
}
