import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
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
