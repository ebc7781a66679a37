import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import {
  electronFolder,
  electronVersion,
  isForThisSystem,
  NO_ELECTRON,
  noElectron,
} from './electron-binary.mjs'
import { faultsOf, faultsOfRun } from './package-check.ts'
import { buildOutputs, packApp, type PackedApp } from './packed-app.ts'
import { runPackedBackend } from './packed-backend.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const MODULES = join(ROOT, 'node_modules')
const require = createRequire(join(MODULES, 'app-builder-lib', 'package.json'))
const scratch = mkdtempSync(join(tmpdir(), 'augury-packaging-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

interface Builder {
  readonly protocols: readonly { readonly schemes: readonly string[] }[]
  readonly electronFuses: Readonly<Record<string, boolean>>
  readonly linux: { readonly target: readonly string[] }
  readonly mac: { readonly target: readonly string[]; readonly entitlements: string }
  readonly win: { readonly target: readonly string[] }
  readonly asar: boolean
}
const readConfiguration = (): Builder =>
  parse(readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8')) as Builder

describe('electron-builder.yml', () => {
  const { validateConfiguration } = require('./out/util/config/config.js') as {
    validateConfiguration: (config: object, log: object) => Promise<void>
  }

  it('is valid by the schema of electron-builder itself', async () => {
    await expect(validateConfiguration(readConfiguration(), { isEnabled: false })).resolves.toBe(
      undefined,
    )
    const mistyped = { ...readConfiguration(), asarUnpacked: ['**/*.node'] }
    await expect(validateConfiguration(mistyped, { isEnabled: false })).rejects.toThrow(
      'asarUnpacked',
    )
  })

  it('builds installers for the three systems, with the link scheme', () => {
    const { linux, mac, win, protocols } = readConfiguration()
    expect(linux.target).toEqual(['AppImage', 'tar.gz'])
    expect(mac.target).toEqual(['dmg', 'zip'])
    expect(win.target).toEqual(['nsis'])
    expect(protocols.flatMap(({ schemes }) => schemes)).toEqual(['augury'])
    const entitlements = readFileSync(join(ROOT, mac.entitlements), 'utf8')
    expect(entitlements).toContain('com.apple.security.device.audio-input')
  })

  it('loads the app only from its archive, with checked integrity', () => {
    const { asar, electronFuses } = readConfiguration()
    expect(asar).toBe(true)
    expect(electronFuses).toMatchObject({
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      grantFileProtocolExtraPrivileges: false,
    })
  })
})

describe('a missing Electron', () => {
  /** A folder of packages with an Electron in it, as far as it was installed. */
  const modulesWith = (parts: { readonly version?: string; readonly binary?: boolean }) => {
    const modules = mkdtempSync(join(scratch, 'modules-'))
    const folder = join(modules, 'electron')
    mkdirSync(join(folder, 'dist'), { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"version":"45.4.1"}')
    if (parts.version !== undefined) {
      writeFileSync(join(folder, 'path.txt'), 'electron')
      writeFileSync(join(folder, 'dist', 'version'), parts.version)
    }
    if (parts.binary === true) writeFileSync(join(folder, 'dist', 'electron'), '')
    return modules
  }

  it('is found when its binary is that of the lockfile', () => {
    const whole = modulesWith({ version: 'v45.4.1', binary: true })
    expect(electronFolder(whole)).toBe(join(whole, 'electron', 'dist'))
    expect(electronFolder(modulesWith({ version: '44.0.0', binary: true }))).toBeNull()
    expect(electronFolder(modulesWith({ version: '45.4.1' }))).toBeNull()
    expect(electronFolder(modulesWith({}))).toBeNull()
  })

  it('is reported in one sentence with a remedy', () => {
    const sentence = noElectron('45.4.1')
    expect(sentence).toMatch(
      /^Electron 45\.4\.1 is not installed here.*`npx install-electron`.*\.$/,
    )
    expect(sentence.split('\n')).toHaveLength(1)
  })

  it('is not required when another system is packaged', () => {
    expect(isForThisSystem(['--dir'])).toBe(true)
    expect(isForThisSystem([])).toBe(true)
    expect(isForThisSystem(['--dir', '--win'])).toBe(false)
    expect(isForThisSystem(['-mwl'])).toBe(false)
  })

  it.skipIf(electronFolder(MODULES) !== null)('ends the packaging with its own exit code', () => {
    const script = join(import.meta.dirname, 'package.mjs')
    const { status, stderr, stdout } = spawnSync(process.execPath, [script, '--dir'], {
      encoding: 'utf8',
    })
    expect(status).toBe(NO_ELECTRON)
    expect(stderr).toBe(`${noElectron(electronVersion(MODULES))}\n`)
    expect(stdout).toBe('')
  })
})

describe('the packed app', () => {
  let app: PackedApp
  beforeAll(async () => {
    await buildOutputs()
    app = await packApp(scratch)
  })

  it('contains what runs and nothing else, compiled code beside the archive', () => {
    expect(faultsOf(app)).toEqual([])
    for (const part of ['dist/main/main.js', 'dist/preload/preload.cjs', 'dist/page/index.html']) {
      expect(app.files).toContain(part)
    }
    const native = app.beside.filter((path) => path.endsWith('.node'))
    expect(native.some((path) => path.includes('@duckdb/'))).toBe(true)
    expect(native.some((path) => path.includes('@node-rs/argon2'))).toBe(true)
  })

  it('has its fuses set as configured', async () => {
    const { getCurrentFuseWire, FuseV1Options } = await import('@electron/fuses')
    const wire = await getCurrentFuseWire(app.program)
    const isSet = (fuse: keyof typeof FuseV1Options) =>
      Number(wire[FuseV1Options[fuse]]) === '1'.charCodeAt(0)
    expect(isSet('OnlyLoadAppFromAsar')).toBe(true)
    expect(isSet('EnableEmbeddedAsarIntegrityValidation')).toBe(true)
    expect(isSet('EnableNodeOptionsEnvironmentVariable')).toBe(false)
    expect(isSet('EnableNodeCliInspectArguments')).toBe(false)
    expect(isSet('RunAsNode')).toBe(true)
  })

  it('has a backend that a plain Node starts, reads from and stops [terminal.desktop.package]', async () => {
    const run = await runPackedBackend(app.folder, mkdtempSync(join(scratch, 'data-')))
    expect(faultsOfRun(run)).toEqual([])
    expect(JSON.parse(run.answers['/healthz']!.text)).toEqual({ status: 'ok' })
    expect(JSON.parse(run.answers['/api/public/markets?limit=3']!.text).markets).toHaveLength(3)
    expect(run.answers['/']!.text).toContain('id="app"')
    expect(JSON.parse(run.strategy)).toMatchObject({ name: 'buy-and-hold' })
    expect(run.version).toBe(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version)
  })
})
