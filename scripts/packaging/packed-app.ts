import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, sep } from 'node:path'
import { electronVersion } from './electron-binary.mjs'
import { makeStandIn } from './stand-in.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const MODULES = join(ROOT, 'node_modules')
const require = createRequire(import.meta.url)

interface Asar {
  extractAll(archive: string, folder: string): void
  listPackage(archive: string, options: { isPack: boolean }): string[]
}

/** An app as electron-builder packed it, and the same files unpacked for a plain Node. */
export interface PackedApp {
  /** The program that electron-builder made of the stand-in for Electron. */
  readonly program: string
  /** Files inside the archive and beside it, with `/` between folders. */
  readonly files: readonly string[]
  /** Files beside the archive, where compiled code can be loaded. */
  readonly beside: readonly string[]
  /** The whole app as plain files. */
  readonly folder: string
}

export class PackingFailed extends Error {}

async function run(what: string, script: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (code !== 0) throw new PackingFailed(`${what} ended with code ${String(code)}:\n${output}`)
}

/** Builds the outputs of an app, unless they are those of the present sources. */
export const buildOutputs = (): Promise<void> =>
  run('the build', join(ROOT, 'scripts', 'setup.mjs'), ['--page', '--service', '--shell'])

/** Has electron-builder pack the built app around a stand-in for Electron, and unpacks the result. */
export async function packApp(scratch: string): Promise<PackedApp> {
  const standIn = makeStandIn(join(scratch, 'electron'), electronVersion(MODULES))
  const out = join(scratch, 'out')
  await run('electron-builder', join(MODULES, 'electron-builder', 'cli.js'), [
    '--linux',
    'dir',
    `-c.electronDist=${standIn}`,
    `-c.directories.output=${out}`,
  ])
  const unpacked = readdirSync(out).find((name) => name.startsWith('linux'))
  if (unpacked === undefined) throw new PackingFailed('electron-builder left no folder of an app')
  const resources = join(out, unpacked, 'resources')
  const archive = join(resources, 'app.asar')
  const asar = require(require.resolve('@electron/asar', { paths: [MODULES] })) as Asar
  const folder = join(scratch, 'app')
  asar.extractAll(archive, folder)
  return {
    program: join(out, unpacked, 'augury'),
    folder,
    files: asar
      .listPackage(archive, { isPack: false })
      .map((path) => path.replaceAll('\\', '/').replace(/^\//, '')),
    beside: filesBelow(`${archive}.unpacked`),
  }
}

function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/'))
}

/** Compiled code: the system loads it by path, which does not work inside an archive. */
export const isNative = (path: string): boolean => /\.(?:node|dylib|dll|so(?:\.\d+)*)$/.test(path)

/** Files that no user of the app needs: source maps, sources, tests and type declarations. */
export const isBallast = (path: string): boolean =>
  /\.(?:map|ts|mts|cts|tsx|tsbuildinfo)$/.test(path) ||
  /(?:^|\/)(?:__tests__|fixtures)\//.test(path) ||
  /\.(?:test|spec)\.[cm]?js$/.test(path) ||
  /^(?!dist|node_modules|package\.json)/.test(path)
