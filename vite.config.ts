import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig, type Plugin } from 'vite'
import { dockStylesPlugin } from './scripts/dock-styles.ts'

const at = (...parts: string[]) => join(import.meta.dirname, ...parts)
const BACKEND = 'http://127.0.0.1:4870'
/** Packages and Node's own modules stay outside the bundles: they are installed beside them. */
const INSTALLED = /^(?:node:|electron$|[@a-z])/

const backendModules = globSync('backend/**/*.ts', { cwd: import.meta.dirname }).filter(
  (path) => !/\.test\.ts$|\/testing\//.test(path),
)

/** Workers are named by address, which the bundler does not follow outside the page. */
const workerAddresses: Plugin = {
  name: 'augury-worker-addresses',
  applyToEnvironment: (environment) => environment.name === 'backend',
  transform: (code) =>
    code.replace(/(new URL\(\s*['"]\.{1,2}\/[^'"]+)\.ts(['"],\s*import\.meta\.url)/g, '$1.js$2'),
}

export default defineConfig({
  root: at('renderer'),
  plugins: [svelte({ configFile: at('svelte.config.js') }), workerAddresses, dockStylesPlugin],
  server: {
    port: 4871,
    proxy: {
      '/api': { target: BACKEND, changeOrigin: true },
      '/v1': { target: BACKEND, changeOrigin: true },
      '/ws': { target: BACKEND, changeOrigin: true, ws: true },
    },
  },
  environments: {
    client: {
      build: {
        outDir: at('dist/page'),
        emptyOutDir: true,
        target: 'es2024',
        // The page's policy allows neither data: addresses nor inline scripts.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        // What may be loaded at start is measured packed, by the bench of the terminal.
        chunkSizeWarningLimit: 1_000,
        rolldownOptions: {
          checks: { bundlerTimings: false },
          output: {
            // What the page starts with is one file: many small ones compress worse.
            codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] },
          },
        },
      },
    },
    main: {
      consumer: 'server',
      build: {
        outDir: at('dist/main'),
        emptyOutDir: true,
        target: 'node24',
        rolldownOptions: {
          input: [at('electron/main.ts'), at('electron/backend-entry.ts')],
          external: INSTALLED,
          output: { format: 'es', entryFileNames: '[name].js' },
        },
      },
    },
    preload: {
      consumer: 'server',
      build: {
        outDir: at('dist/preload'),
        emptyOutDir: true,
        target: 'node24',
        rolldownOptions: {
          input: at('electron/preload.ts'),
          external: INSTALLED,
          // A sandboxed preload script cannot be an ES module.
          output: { format: 'cjs', entryFileNames: '[name].cjs' },
        },
      },
    },
    backend: {
      consumer: 'server',
      build: {
        outDir: at('dist/backend'),
        emptyOutDir: true,
        target: 'node24',
        rolldownOptions: {
          input: backendModules.map((path) => at(path)),
          external: INSTALLED,
          output: {
            format: 'es',
            preserveModules: true,
            preserveModulesRoot: at('backend'),
            entryFileNames: '[name].js',
          },
        },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      const entries = {
        client: 'renderer/index.html',
        main: 'electron/main.ts',
        preload: 'electron/preload.ts',
        backend: 'backend/main.ts',
      }
      for (const [name, entry] of Object.entries(entries)) {
        const environment = builder.environments[name]
        if (environment !== undefined && existsSync(at(entry))) await builder.build(environment)
      }
    },
  },
})
