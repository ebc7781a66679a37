/**
 * The layers of the backend: each folder and what it may import besides itself.
 * `compose.ts` may import everything, so it has no row.
 */
const LAYERS = {
  domain: [],
  lib: ['domain'],
  contract: ['domain', 'lib'],
  http: ['contract', 'domain', 'lib'],
  venues: ['domain', 'lib'],
  sources: ['domain', 'lib'],
  simulator: ['domain', 'lib'],
  history: ['domain', 'lib'],
  state: ['domain', 'lib'],
  ingest: ['venues', 'history', 'domain', 'lib'],
  computed: ['history', 'state', 'contract', 'domain', 'lib'],
  jobs: ['ingest', 'computed', 'history', 'state', 'contract', 'domain', 'lib'],
  features: ['computed', 'history', 'state', 'http', 'contract', 'domain', 'lib'],
  cli: ['contract', 'domain', 'lib'],
  strategies: ['domain'],
}
/** Seams whose types (never their values) a layer may name although they are not below it. */
const TYPES_OF = {
  computed: 'venues/connector\\.ts$',
  features: 'venues/trading\\.ts$',
  ingest: 'state/.+\\.store\\.ts$|app/config\\.ts$',
}
const TEST = '\\.test\\.ts$'
const TESTING = '^backend/testing/'
/** Enumerations and texts of the contract, without schemas. */
const NAMES = '^backend/contract/.+-names\\.ts$'

const layers = Object.entries(LAYERS).flatMap(([layer, below]) => {
  const seams = TYPES_OF[layer]
  const reachable = `^backend/(${[layer, ...below].join('|')})/`
  const rule = {
    name: `${layer}-imports-${below.length === 0 ? 'only-itself' : 'only-layers-below'}`,
    comment: `backend/${layer} may import ${[layer, ...below].join(', ')}`,
    severity: 'error',
    from: { path: `^backend/${layer}/`, pathNot: TEST },
  }
  const inside = '^(backend|electron|renderer|e2e|bench)/'
  if (seams === undefined) return [{ ...rule, to: { path: inside, pathNot: reachable } }]
  return [
    { ...rule, to: { path: inside, pathNot: [reachable, `^backend/(${seams})`] } },
    { ...rule, to: { path: `^backend/(${seams})`, dependencyTypesNot: ['type-only'] } },
  ]
})

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...layers,
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'domain-is-pure',
      comment: 'domain has no IO: neither Node nor packages, except one of pure functions',
      severity: 'error',
      from: { path: '^backend/domain/', pathNot: TEST },
      to: {
        dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer'],
        pathNot: 'node_modules/stemmer/',
      },
    },
    {
      name: 'features-do-not-meet',
      comment: 'a feature reaches a sibling through a service handed over in compose.ts',
      severity: 'error',
      from: { path: '^backend/features/([^/]+)/' },
      to: { path: '^backend/features/', pathNot: '^backend/features/$1/' },
    },
    {
      name: 'venues-do-not-meet',
      comment: 'each venue speaks its own dialect',
      severity: 'error',
      from: { path: '^backend/venues/(venue-[^/]+)/' },
      to: { path: '^backend/venues/venue-', pathNot: '^backend/venues/$1/' },
    },
    {
      name: 'only-main-composes',
      comment: 'backend/app builds and wires the parts; the parts do not import it',
      severity: 'error',
      from: {
        pathNot: ['^backend/(app/|[^/]+\\.ts$)', '^bench/', '^e2e/torture/', TEST, TESTING],
      },
      to: {
        path: '^backend/(app/(?!config)|[^/]+\\.ts$)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'main-only-starts',
      comment: 'and has a process read what it takes to look at a history that was left open',
      severity: 'error',
      from: { path: '^backend/(main|service-process)\\.ts$' },
      to: {
        path: '^backend/.+/',
        pathNot:
          '^backend/(app/|domain/|lib/|http/|history/recovery/(clean-stop|probe-host)\\.ts$)',
      },
    },
    {
      name: 'config-stands-alone',
      severity: 'error',
      from: { path: '^backend/app/config(-values|-variables)?\\.ts$' },
      to: {
        path: '^backend/',
        pathNot: ['^backend/(domain|lib)/', '^backend/app/config-(values|variables)\\.ts$'],
      },
    },
    {
      name: 'testing-stays-in-tests',
      severity: 'error',
      from: { pathNot: [TEST, TESTING, '^bench/', '^e2e/'] },
      to: { path: [TESTING, TEST] },
    },
    {
      name: 'duckdb-behind-the-port',
      comment:
        'history sits behind HistoryStore; imports and scripts read foreign files with an engine of their own; a campaign lowers the limit of the engine itself',
      severity: 'error',
      from: {
        pathNot: [
          '^backend/history/',
          '^backend/ingest/import/',
          '^bench/',
          '^scripts/',
          '^e2e/torture/memory-limit/',
        ],
      },
      to: { path: '@duckdb/' },
    },
    {
      name: 'sql-in-stores',
      severity: 'error',
      from: {
        pathNot: [
          '^backend/state/',
          '\\.store(\\.test)?\\.ts$',
          '^backend/jobs/',
          '^bench/',
          // Test helpers may read the rows themselves, because a response could hide stored data.
          TESTING,
        ],
      },
      to: { path: ['^(node:)?sqlite$', 'node_modules/kysely/'] },
    },
    {
      name: 'ships-what-it-imports',
      comment: 'the backend runs on `dependencies` alone',
      severity: 'error',
      from: { path: '^backend/', pathNot: [TEST, TESTING] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'contract-is-pure',
      comment: 'schemas need the schema library and nothing that reads or writes',
      severity: 'error',
      from: { path: '^backend/contract/', pathNot: TEST },
      to: {
        path: '^(?!backend/)',
        pathNot: 'node_modules/(elysia|@sinclair/typebox)/',
      },
    },
    {
      name: 'names-need-no-schemas',
      comment: 'the page takes enumerations of the contract without the schema library',
      severity: 'error',
      from: { path: NAMES },
      to: { pathNot: ['^backend/domain/', NAMES] },
    },
    {
      name: 'page-knows-contract-and-domain',
      comment: 'the rest of the backend it reaches over HTTP',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^backend/', pathNot: '^backend/(contract|domain)/' },
    },
    {
      name: 'page-imports-no-schemas',
      comment:
        'types cost nothing in the page, a schema brings its library: values come from domain and from the names of the contract',
      severity: 'error',
      from: { path: '^renderer/' },
      to: {
        path: '^(backend|electron)/',
        pathNot: ['^backend/domain/', NAMES],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'page-knows-electron-by-its-bridge',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^electron/', pathNot: '^electron/bridge\\.ts$' },
    },
    {
      name: 'backend-knows-no-window',
      severity: 'error',
      from: { path: '^backend/' },
      to: { path: ['^(electron|renderer|e2e)/', 'node_modules/electron/'] },
    },
    {
      name: 'electron-knows-no-backend',
      comment: 'the shell speaks to the backend over HTTP and its ready line',
      severity: 'error',
      from: { path: '^electron/', pathNot: TEST },
      to: { path: '^(backend|renderer|e2e|bench)/' },
    },
    {
      name: 'e2e-from-outside',
      severity: 'error',
      from: { path: '^e2e/', pathNot: '^e2e/torture/' },
      // The tables of commands and workspaces list what to test, and contain no code.
      to: {
        path: '^(backend|electron|renderer)/',
        pathNot: '^renderer/shell/(commands/[^/]+|dock/workspaces)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|out)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'svelte', 'browser', 'default', 'types'],
      extensions: ['.ts', '.mjs', '.js', '.svelte', '.json'],
    },
  },
}
