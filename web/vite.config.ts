import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const PUBLIC = ["/icon.svg", "/icon-mask.svg", "/apple-touch-icon.png", "/manifest.webmanifest"];

/** The service worker with the names of all built files, which change with what is in them. */
function worker(): Plugin {
  return {
    name: "beachhead-worker",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const names = Object.keys(bundle).filter((name) => name.startsWith("assets/")).sort();
        const files = JSON.stringify(["/", ...PUBLIC, ...names.map((name) => `/${name}`)]);
        const source = readFileSync(new URL("./src/sw.js", import.meta.url), "utf8").replace("__FILES__", () => files);
        const build = createHash("sha256").update(source).digest("hex").slice(0, 12);
        this.emitFile({ type: "asset", fileName: "sw.js", source: source.replace("__BUILD__", build) });
      },
    },
  };
}

export default defineConfig(({ mode }) => ({
  plugins: [svelte(), worker()],
  // without this, tests would load the server half of Svelte, which cannot mount anything
  resolve: mode === "test" ? { conditions: ["browser"] } : {},
  build: {
    outDir: "../src/beachhead/server/static",
    emptyOutDir: true,
    // the page is served with `default-src 'self'`: no data: addresses, no inline script
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { host: "127.0.0.1" },
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.ts"],
    passWithNoTests: true,
  },
}));
