/**
 * Makes a clone ready to run; uses nothing but Node (20 or newer) and npm.
 *   node scripts/setup.mjs             installs from the lockfile when node_modules is missing or stale
 *   node scripts/setup.mjs --page      and builds the page when its sources changed
 *   node scripts/setup.mjs --service   and the backend as one file, which starts in two thirds of the time
 *   node scripts/setup.mjs --shell     and Electron's part of the app
 *   node scripts/setup.mjs --desktop   and the same where there is an Electron, which it fetches where there is a
 *                                      display; may fail, since a browser does as well
 *   node scripts/setup.mjs --browser   and makes sure of a browser for the tests
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findTestBrowser, HEADLESS_SHELL } from './browsers.mjs'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const MODULES = join(ROOT, 'node_modules')
const INSTALL_STAMP = join(MODULES, '.augury-lock')
const ELECTRON_PATH = join(MODULES, 'electron', 'path.txt')
const ELECTRON_STAMP = join(MODULES, '.augury-electron')
const SHELL_STAMP = join(MODULES, '.augury-headless-shell')
const BUILD_SETTINGS = [
  'vite.config.ts',
  'svelte.config.js',
  'package-lock.json',
  'scripts/dock-styles.ts',
]
const DAY = 24 * 60 * 60 * 1000
const WINDOWS = process.platform === 'win32'

class SetupProblem extends Error {}

const report = (text) => process.stderr.write(`setup: ${text}\n`)
const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : null)

function run(what, command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: ROOT, stdio: ['ignore', 2, 2], ...options })
  if (result.error !== undefined) throw new SetupProblem(`${what}: ${result.error.message}`)
  if (result.status !== 0) throw new SetupProblem(`${what} ended with code ${result.status}`)
}

/** The npm that runs this script, else the one on the PATH. */
function npm(args) {
  const cli = process.env.npm_execpath
  if (cli !== undefined && /\.c?js$/.test(cli))
    run(`npm ${args[0]}`, process.execPath, [cli, ...args])
  else run(`npm ${args[0]}`, 'npm', args, { shell: WINDOWS })
}

/** The project's own Node, which npm scripts find first on their PATH. */
const projectNode = () => join(MODULES, 'node', 'bin', WINDOWS ? 'node.exe' : 'node')

function filesBelow(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)))
}

function fingerprint(paths) {
  const hash = createHash('sha256')
  for (const file of paths.flatMap((path) => filesBelow(join(ROOT, path)))) {
    hash.update(`${relative(ROOT, file).split(sep).join('/')}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function install() {
  const expected = fingerprint(['package-lock.json'])
  if (read(INSTALL_STAMP) !== expected || !existsSync(projectNode())) {
    report('installing packages from the lockfile')
    npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'])
    writeFileSync(INSTALL_STAMP, expected)
  }
  linkCommand()
}

/** `npx augury` looks into node_modules/.bin, where npm links only the commands of dependencies. */
function linkCommand() {
  const launcher = join(ROOT, 'backend', 'cli', 'augury.mjs')
  const link = join(MODULES, '.bin', 'augury')
  if (!existsSync(launcher) || existsSync(link)) return
  if (WINDOWS) {
    writeFileSync(`${link}.cmd`, '@node "%~dp0\\..\\..\\backend\\cli\\augury.mjs" %*\r\n')
    return
  }
  chmodSync(launcher, 0o755)
  symlinkSync(join('..', '..', 'backend', 'cli', 'augury.mjs'), link)
}

/** Builds these outputs of vite.config.ts unless their sources are those of the last build. */
function build(what, outputs, sources) {
  const folders = outputs.map((name) => join(ROOT, 'dist', name === 'client' ? 'page' : name))
  // In the output, which every build empties first, also one that another program starts.
  const stamp = join(folders[0], '.sources')
  const expected = fingerprint([...sources, ...BUILD_SETTINGS])
  if (folders.every((folder) => existsSync(folder)) && read(stamp) === expected) return
  report(`building the ${what}`)
  run('the build', projectNode(), [join(ROOT, 'scripts', 'build.mjs'), ...outputs])
  writeFileSync(stamp, expected)
}

// The page contains the shapes and rules of these folders of the backend.
const buildPage = () =>
  build('page', ['client'], ['renderer', 'backend/contract', 'backend/domain'])
const buildService = () => build('service', ['backend'], ['backend'])
const buildShell = () => build('desktop shell', ['main', 'preload'], ['electron'])

function prepareDesktop() {
  fetchElectron()
  if (!existsSync(ELECTRON_PATH)) return
  try {
    buildShell()
  } catch (problem) {
    if (!(problem instanceof SetupProblem)) throw problem
    report(`${problem.message}; a browser window or the plain address will do`)
  }
}

/** Electron is optional: a failed download is retried the next day. */
function fetchElectron() {
  const { platform, env } = process
  const display = platform !== 'linux' || Boolean(env.DISPLAY) || Boolean(env.WAYLAND_DISPLAY)
  if (!display || existsSync(ELECTRON_PATH)) return
  if (existsSync(ELECTRON_STAMP) && Date.now() - statSync(ELECTRON_STAMP).mtimeMs < DAY) return
  report('fetching Electron')
  try {
    run('the download', projectNode(), [join(MODULES, 'electron', 'install.js')], {
      timeout: 180_000,
    })
  } catch (problem) {
    writeFileSync(ELECTRON_STAMP, String(problem))
    report('Electron cannot be had here; a browser window or the plain address will do')
  }
}

/** The browser that Playwright runs, or null. */
function installedBrowser() {
  const downloaded = spawnSync(
    projectNode(),
    ['-e', "process.stdout.write(require('playwright-core').chromium.executablePath())"],
    { cwd: ROOT, encoding: 'utf8' },
  ).stdout
  return (
    findTestBrowser(process.platform, process.env) ?? (existsSync(downloaded) ? downloaded : null)
  )
}

const hasPackages = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

function makeSureOfBrowser() {
  const found = installedBrowser()
  if (found !== null) {
    if (process.env.CI && hasPackages() && !found.endsWith(HEADLESS_SHELL)) tryHeadlessShell()
    return
  }
  const failures = []
  const ways = [
    ["Playwright's own browser", downloadBrowser],
    ["the system's packages", installSystemBrowser],
  ]
  for (const [name, way] of process.env.CI ? ways.toReversed() : ways) {
    report(`no browser installed; trying ${name}`)
    try {
      way()
      if (installedBrowser() !== null) return
      failures.push(`${name}: nothing to run afterwards`)
    } catch (problem) {
      failures.push(`${name}: ${problem.message}`)
    }
  }
  throw new SetupProblem(`a browser is needed for the tests. ${failures.join('; ')}`)
}

function downloadBrowser() {
  const cli = join(MODULES, '@playwright', 'test', 'cli.js')
  run('the download', projectNode(), [cli, 'install', 'chromium'], { timeout: 600_000 })
}

function installSystemBrowser() {
  if (!hasPackages()) throw new SetupProblem('needs apt-get and the administrator')
  updatePackages()
  try {
    installPackage(HEADLESS_SHELL)
  } catch (problem) {
    // Other systems than Debian have no such package.
    report(problem.message)
    installPackage('chromium')
  }
}

/** The tests run in every Chromium; the shell saves a fifth of their time. Tried once in a clone. */
function tryHeadlessShell() {
  if (existsSync(SHELL_STAMP)) return
  try {
    updatePackages()
    installPackage(HEADLESS_SHELL)
  } catch (problem) {
    writeFileSync(SHELL_STAMP, String(problem))
    report(`${problem.message}; the tests use the browser that is installed`)
  }
}

const updatePackages = () =>
  run('apt-get update', 'apt-get', ['update', '-q'], { timeout: 120_000 })

function installPackage(name) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  run(
    `apt-get install ${name}`,
    'apt-get',
    ['install', '-y', '-q', '--no-install-recommends', name],
    { env, timeout: 600_000 },
  )
}

const STEPS = {
  '--page': buildPage,
  '--service': buildService,
  '--shell': buildShell,
  '--desktop': prepareDesktop,
  '--browser': makeSureOfBrowser,
}

try {
  const requested = process.argv.slice(2)
  const unknown = requested.filter((flag) => !(flag in STEPS))
  if (unknown.length > 0) throw new SetupProblem(`unknown flag ${unknown.join(', ')}`)
  install()
  for (const [flag, step] of Object.entries(STEPS)) if (requested.includes(flag)) step()
} catch (problem) {
  if (!(problem instanceof SetupProblem)) throw problem
  report(problem.message)
  process.exitCode = 1
}
