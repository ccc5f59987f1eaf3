import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { settings } from "./lib/settings.svelte";
import { speech } from "./lib/say.svelte";

const target = document.getElementById("app");
if (!target) throw new Error("the page has no #app");

settings.apply();
void speech.speak(settings.lang).finally(() => mount(App, { target }));
