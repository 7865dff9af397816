// Follows a run on the page of `brewery ui` in Chromium until it ends, and prints
// what the page and its stream said, as JSON:
//
//   {"counts": [[when, rollouts on the page]], "parts": [parts of the stream],
//    "streams": how often one was opened, "problems": [lines]}
//
//   node watch_run.mjs MODULES CHROMIUM ADDRESS RUN [ADDRESS_OF_LOCALHOST]
//
// `when` is in milliseconds since 1970. A part names the events of the log that it
// adds up. With the last word, `localhost` in ADDRESS is that machine, e.g. a relay
// that breaks connections; what breaks is no problem then.

import { createRequire } from "node:module";
import path from "node:path";

const [modules, chromium, address, run, relay] = process.argv.slice(2);
const from = createRequire(path.resolve(modules) + path.sep);
const browser = await from("playwright-core").chromium.launch({
  executablePath: chromium,
  args: ["--no-sandbox", // containers have none, and the pages are ours
         ...(relay ? [`--host-resolver-rules=MAP localhost ${relay}`] : [])] });
const tab = await browser.newPage();
const problems = [];
tab.setDefaultTimeout(300_000);
tab.on("pageerror", (error) => problems.push(error.message));
tab.on("console", (message) => {
  if (!relay) problems.push(message.text());
});
await tab.addInitScript(() => {
  window.seen = { counts: [], parts: [], streams: 0 };
  const Plain = window.EventSource;
  window.EventSource = class extends Plain {
    constructor(...words) {
      super(...words);
      this.addEventListener("open", () => ++window.seen.streams);
      this.addEventListener("log", (message) => {
        const { from, to, rollouts } = JSON.parse(message.data);
        window.seen.parts.push({ from, to, rollouts });
      });
    }
  };
  const count = () => {
    for (const name of document.querySelectorAll("section.live dt")) {
      if (name.textContent !== "rollouts") continue;
      const shown = parseInt(name.nextElementSibling.textContent, 10);
      if (shown !== window.seen.counts.at(-1)?.[1])
        window.seen.counts.push([Date.now(), shown]);
    }
  };
  document.addEventListener("DOMContentLoaded", () =>
    new MutationObserver(count).observe(document.body, {
      childList: true, characterData: true, subtree: true }));
});
await tab.goto(`${address}#/runs/${run}`);
await tab.waitForFunction(() => !document.querySelector("section.live")
  && document.querySelector("dd")?.textContent === "finished", null,
  { polling: 100 });
console.log(JSON.stringify({ ...await tab.evaluate(() => window.seen),
                             problems }));
await browser.close();
