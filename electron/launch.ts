import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findBrowser } from '../scripts/browsers.mjs'
import { keepRunning, linesOf, systemTimers, type BackendChild } from './backend-process.ts'
import { dataDirOf } from './data-dir.ts'
import { entryAddress } from './entry-address.ts'
import {
  addressAfterRefusal,
  appWindowArguments,
  BACKEND_NODE_FLAGS,
  endsWithWindow,
  hasDisplay,
  mayHaveShown,
  waysToShow,
  whereItRuns,
  type Way,
} from './launch-plan.ts'
import type { Ready } from './ready-line.ts'
import { flagsForStart } from './restart.ts'

const ROOT = join(import.meta.dirname, '..')
const flags = process.argv.slice(2)
const env = { AUGURY_LOG_LEVEL: 'warn', ...process.env }

const readText = (path: string): string | null =>
  existsSync(path) ? readFileSync(path, 'utf8') : null

function electronBinary(): string | null {
  const folder = join(ROOT, 'node_modules', 'electron')
  const name = readText(join(folder, 'path.txt'))
  if (name === null || !existsSync(join(ROOT, 'dist', 'main', 'main.js'))) return null
  const binary = join(folder, 'dist', name)
  return existsSync(binary) ? binary : null
}

/**
 * Runs a window program to its end; returns whether it may have shown a window, and its exit code.
 */
function runWindow(command: string, args: readonly string[]) {
  const startedAt = performance.now()
  return new Promise<{ readonly showed: boolean; readonly code: number }>((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] })
    child.on('error', () => resolve({ showed: false, code: 1 }))
    child.on('exit', (code) =>
      resolve({ showed: mayHaveShown(code, performance.now() - startedAt), code: code ?? 1 }),
    )
  })
}

let ready: Ready | null = null

function spawnBackend(attempt: number): BackendChild {
  const args = flagsForStart(flags, ready, attempt)
  const child = spawn(
    process.execPath,
    [...BACKEND_NODE_FLAGS, join(ROOT, 'dist', 'backend', 'main.js'), ...args],
    {
      cwd: process.cwd(),
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  return {
    onLine: (listener) => linesOf(child.stdout, listener),
    onExit: (listener) => void child.on('exit', listener),
    terminate: () => void child.kill('SIGTERM'),
    kill: () => void child.kill('SIGKILL'),
  }
}

/** Shows the page and resolves when the user has closed it; printing the address never resolves. */
async function showPage(url: string, dataDir: string, way: Way, isOurs: boolean): Promise<void> {
  const address = await entryAddress({ url, dataDir }, { readText, fetch })
  if (way.kind === 'app-window') {
    console.log(whereItRuns(url, way.kind, isOurs))
    const isAdministrator = process.getuid?.() === 0
    const args = appWindowArguments(address, join(dataDir, 'window'), isAdministrator)
    if ((await runWindow(way.browser, args)).showed) return
  }
  console.log(whereItRuns(address, 'address', isOurs))
  if (isOurs) await new Promise(() => {})
}

function serve(way: Way): void {
  let isShown = false
  const backend = keepRunning(spawnBackend, systemTimers, (state) => {
    if (state.kind !== 'running' && state.kind !== 'refused') return
    if (state.kind === 'running') ready = state.ready
    if (state.kind === 'running' && !isShown) {
      isShown = true
      void showPage(state.ready.url, state.ready.dataDir, way, true).then(() => stop())
    }
    if (state.kind === 'refused') void openRunningOrExit(state.code, way)
  })
  const stop = () => void backend.stop().then(() => process.exit(0))
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

/** Another instance may already serve the data folder: then its page is opened. */
async function openRunningOrExit(code: number, way: Way): Promise<void> {
  const dataDir = dataDirOf(flags, process.env)
  const address = addressAfterRefusal(code, readText(join(dataDir, 'run', 'launch.json')))
  if (address === null) process.exit(code)
  await showPage(address, dataDir, way, false)
  process.exit(0)
}

const ways = waysToShow({
  electron: electronBinary(),
  browser: findBrowser(process.platform, process.env),
  hasDisplay: hasDisplay(process.platform, process.env),
})
let way = ways[0] ?? { kind: 'address' }
if (way.kind === 'electron') {
  const { showed, code } = await runWindow(way.binary, [ROOT, '--', ...flags])
  if (endsWithWindow(code, showed)) process.exit(code)
  way = ways[1] ?? { kind: 'address' }
}
serve(way)
