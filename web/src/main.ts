import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { settings } from "./lib/settings.svelte";
import { speech } from "./lib/say.svelte";

const target = document.getElementById("app");
if (!target) throw new Error("the page has no #app");

settings.apply();
const words = speech.speak(settings.lang);
// English is in the page; other languages come first, so that nothing is said twice
if (settings.lang === "en") mount(App, { target });
else void words.finally(() => mount(App, { target }));
