import { existsSync, globSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig, type Plugin } from 'vite'
import { dockStylesPlugin } from './scripts/dock-styles.ts'

const at = (...parts: string[]) => join(import.meta.dirname, ...parts)
const BACKEND = 'http://127.0.0.1:4870'
/** Packages and Node's own modules stay outside the bundles: they are installed beside them. */
const INSTALLED = /^(?:node:|electron$|[@a-z])/

/** A script with a worker or process of its own: `new URL('./x.ts', import.meta.url)`. */
const SCRIPT_ADDRESS = /new URL\(\s*['"](\.{1,2}\/[^'"]+\.ts)['"],\s*import\.meta\.url\)/g
/** The file of such a script in the bundle, where all files lie in one folder. */
const scriptFile = (path: string): string =>
  relative(at('backend'), path).replaceAll(/[\\/]/g, '-').replace(/\.ts$/, '.js')

/** Scripts and strategies are named by address, which the bundler does not follow outside the page. */
const filesByAddress: Plugin = {
  name: 'augury-files-by-address',
  applyToEnvironment: (environment) => environment.name === 'backend',
  buildStart() {
    const folder = at('backend', 'strategies')
    for (const name of globSync('*.ts', { cwd: folder })) {
      if (name.endsWith('.test.ts')) continue
      const fileName = `strategies/${basename(name, '.ts')}.js`
      this.emitFile({ type: 'chunk', id: join(folder, name), fileName })
    }
  },
  transform(code, importer) {
    return code.replace(SCRIPT_ADDRESS, (_match, path: string) => {
      const id = join(dirname(importer), path)
      this.emitFile({ type: 'chunk', id, fileName: scriptFile(id) })
      return `new URL('./${scriptFile(id)}', import.meta.url)`
    })
  },
}

export default defineConfig({
  root: at('renderer'),
  plugins: [svelte({ configFile: at('svelte.config.js') }), filesByAddress, dockStylesPlugin],
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
      resolve: { noExternal: [/^kysely(?:\/|$)/] },
      build: {
        outDir: at('dist/backend'),
        emptyOutDir: true,
        target: 'node24',
        rolldownOptions: {
          // Reading many small modules took half of a start: the backend's own are one file, and so
          // are those of a package that has many. Others gain nothing from it.
          input: at('backend/main.ts'),
          external: (id) => INSTALLED.test(id) && !/^kysely(?:\/|$)/.test(id),
          output: {
            format: 'es',
            entryFileNames: '[name].js',
            chunkFileNames: '[name]-[hash].js',
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
