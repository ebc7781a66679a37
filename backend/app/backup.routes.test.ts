import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readManifest } from '../features/operations/backup-manifest.ts'
import type { BackupRun } from '../contract/operations.ts'
import { stageRestore } from '../features/operations/stage-restore.ts'
import type { Millis } from '../domain/units.ts'
import { isoOf } from '../lib/clock.ts'
import { startDemoService, type DemoService } from '../testing/demo-service.ts'

const START = '2026-11-20T14:00:00.000Z'
const OPTIONS = { seed: 7, markets: 40, start: START }
let root: string
let demo: DemoService

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'augury-backup-'))
  demo = await startDemoService({ ...OPTIONS, dataDir: join(root, 'data') })
})
afterAll(async () => {
  await demo.stop()
  rmSync(root, { recursive: true, force: true })
})

async function call(method: string, path: string, body?: object) {
  const response = await demo.service.app.handle(
    new Request(`http://augury.test${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** Backs up the service while the demo keeps trading. */
async function backUp(body: object): Promise<BackupRun> {
  const { status, body: started } = await call('POST', '/api/backups', body)
  expect(status).toBe(202)
  const runOf = async () =>
    (await call('GET', `/api/backups/${String(started['id'])}`)).body as BackupRun
  await vi.waitFor(
    async () => {
      await demo.advance(250)
      expect((await runOf()).state).not.toBe('running')
    },
    { timeout: 200_000, interval: 1 },
  )
  return runOf()
}

describe('a backup of a running service', () => {
  // [service.backup.whole] [service.backup.same-answers]
  it('restores to the same answers, byte for byte, as of its instant', async () => {
    await demo.advance(1_000)
    const before = demo.accepted()
    const out = join(root, 'first')
    const run = await backUp({ out })
    expect(run).toMatchObject({ state: 'done', error: null, filesDone: run.filesAll })
    expect(demo.accepted()).toBeGreaterThan(before)
    const at = isoOf(readManifest(out).at as Millis)
    const paths = await pathsAt(at)
    const answers = await Promise.all(paths.map((path) => demo.ask(path)))
    expect(answers.every((answer) => answer.startsWith('200 '))).toBe(true)
    expect(answers.join('').length).toBeGreaterThan(20_000)

    const dataDir = join(root, 'restored')
    await stageRestore({ dataDir, folder: out, force: false, now: 0 as Millis }, () => {})
    const start = isoOf(demo.clock.now())
    const restored = await startDemoService({ ...OPTIONS, start, dataDir })
    try {
      for (const [index, path] of paths.entries()) {
        expect(await restored.ask(path), path).toBe(answers[index])
      }
    } finally {
      await restored.stop()
    }
    expect(readdirSync(dataDir)).not.toContain('restore-pending')
  })

  it('excludes secrets by default', async () => {
    const out = join(root, 'second')
    await backUp({ out })
    expect(readdirSync(out).sort()).toEqual(['manifest.json', 'parquet', 'state.sqlite'])
    await backUp({ out, force: true, withSecrets: true })
    expect(readManifest(out)).toMatchObject({ hasSecrets: true })
    expect(readdirSync(join(out, 'secrets'))).toEqual(['session.jwk'])
    // Nothing is left in the data folder or beside the backup.
    expect(readdirSync(join(root, 'data'))).not.toContain('backup')
    expect(readdirSync(root).filter((name) => /part|replaced/.test(name))).toEqual([])
  })

  // [service.backup.no-harm]
  it('overwrites only backups', async () => {
    const backupFolder = mkdtempSync(join(root, 'mine-'))
    writeFileSync(join(backupFolder, 'thesis.txt'), 'mine')
    const full = await call('POST', '/api/backups', { out: backupFolder })
    expect([full.status, full.body['code']]).toEqual([409, 'CONFLICT'])
    const forced = await call('POST', '/api/backups', { out: backupFolder, force: true })
    expect(forced.body['error']).toBe(`${backupFolder} is not empty and does not contain a backup`)
    expect(readFileSync(join(backupFolder, 'thesis.txt'), 'utf8')).toBe('mine')
  })

  it.each([
    ['a/b', /^out must be an absolute path/],
    ['DATA', /outside the data folder/],
    ['DATA/exports', /outside the data folder/],
    ['DATA/..', /outside the data folder/],
    ['DATA/../no/where', /in an existing folder/],
  ])('refuses %s', async (place, message) => {
    const out = place.replace('DATA', join(root, 'data'))
    const { status, body } = await call('POST', '/api/backups', { out })
    expect(status).toBe(400)
    expect(body['error']).toMatch(message)
  })
})

describe('a damaged backup', () => {
  const restore = (folder: string, dataDir: string) =>
    stageRestore({ dataDir, folder, force: false, now: 0 as Millis }, () => {})

  // [service.restore.checked]
  it.each([
    [
      'a changed file',
      (out: string) => appendFileSync(join(out, 'state.sqlite'), 'x'),
      /state\.sqlite/,
    ],
    ['a missing file', (out: string) => rmSync(join(out, 'parquet/markets.parquet')), /markets/],
    ['no manifest', (out: string) => rmSync(join(out, 'manifest.json')), /is not a backup/],
    [
      'paths that lead out',
      (out: string) => edit(out, '"state.sqlite"', '"../x"'),
      /is not a backup/,
    ],
    [
      'a newer history',
      (out: string) => edit(out, '"historySchema": ', '"historySchema": 9'),
      /Update Augury/,
    ],
    [
      'newer rows',
      (out: string) => edit(out, '"stateSchema": "', '"stateSchema": "9999_x'),
      /Update Augury/,
    ],
  ])('is refused and changes nothing: %s', async (_name, damage, message) => {
    const out = mkdtempSync(join(root, 'harmed-'))
    cpSync(join(root, 'first'), out, { recursive: true })
    damage(out)
    const dataDir = mkdtempSync(join(root, 'target-'))
    await expect(restore(out, dataDir)).rejects.toThrow(message)
    expect(readdirSync(dataDir)).toEqual([])
  })

  it('replaces existing data only with force', async () => {
    await expect(restore(join(root, 'first'), join(root, 'data'))).rejects.toThrow(/--force/)
  })
})

function edit(out: string, from: string, to: string): void {
  const path = join(out, 'manifest.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
}

async function pathsAt(at: string): Promise<string[]> {
  const asOf = `asOf=${at}&nextActions=off`
  const list = await demo.ask(`/api/public/markets?limit=200&${asOf}`)
  const tickers = [...list.matchAll(/"ticker":"([^"]+)"/g)].map(([, ticker]) => ticker).slice(0, 8)
  return [
    `/api/public/markets?limit=200&${asOf}`,
    `/api/changes?limit=200&${asOf}`,
    ...tickers.flatMap((ticker) => [
      `/api/public/market/${ticker}?depth=true&${asOf}`,
      `/api/public/market/${ticker}/candles?timeframe=1m&limit=500&${asOf}`,
      `/api/public/market/${ticker}/history?days=7&${asOf}`,
    ]),
  ]
}
