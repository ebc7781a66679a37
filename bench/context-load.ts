import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Board } from '../backend/computed/board/board.ts'
import { ContextSnapshotBuilder } from '../backend/computed/snapshot/context-snapshot-builder.ts'
import { structureOf } from '../backend/computed/snapshot/structure/structure.ts'
import { LiveTable } from '../backend/computed/board/live-table.ts'
import { ReferencePrices } from '../backend/computed/board/reference-prices.ts'
import { createWorldSnapshotService } from '../backend/computed/world/world-snapshot-service.ts'
import { quarterHourOf } from '../backend/domain/changes/change-rows.ts'
import { fingerprintOf } from '../backend/domain/pairing/fingerprint.ts'
import { pairMarkets } from '../backend/domain/pairing/pairs.ts'
import type { Cents, Millis } from '../backend/domain/units.ts'
import { WORLD_INTERVAL } from '../backend/domain/world/world.ts'
import { openHistory } from '../backend/history/duckdb/open.ts'
import { systemClock } from '../backend/lib/clock.ts'
import { silentLogger } from '../backend/lib/logger.ts'
import type { BenchRow } from './bench-row.ts'
import { catalogueOf, fillDay } from './context-markets.ts'
import { AnswersChanged, load } from './http-load.ts'
import { inTurns, median } from './rounds.ts'
import { startService, type RunningService } from './service.ts'

const MARKETS = 20_000
/** The number of markets in the goal. */
const DEFAULT_WINDOW = 5_000
/** For pairing; with fewer markets a smaller share has a counterpart, which is less work. */
const PAIRED = 50_000
const WORLDS = 5
const DOSSIERS = 1_200
const elapsed = async (work: () => Promise<unknown>): Promise<number> => {
  const since = systemClock.monotonic()
  await work()
  return systemClock.monotonic() - since
}

/** A history in `folder` of so many active markets with a day of ticks. */
async function historyIn(folder: string, count: number) {
  const path = join(folder, 'history.duckdb')
  const history = await openHistory({ path, dataDir: folder, logger: silentLogger })
  await fillDay(history, catalogueOf(count, systemClock.now()), systemClock.now())
  await history.sortClosedHours(systemClock.now())
  return history
}

/**
 * Milliseconds of a snapshot and of a world over so many markets, complete: reads, computation,
 * storage.
 */
async function worldsOver(count: number): Promise<{ snapshot: number; world: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'augury-bench-context-'))
  const history = await historyIn(folder, count)
  try {
    const reference = new ReferencePrices(history)
    const board = new Board({ history, live: new LiveTable(), reference, clock: systemClock })
    const structure = {
      read: (input: Parameters<typeof structureOf>[0]) => Promise.resolve(structureOf(input)),
      close: () => Promise.resolve(),
    }
    const builder = new ContextSnapshotBuilder({
      history,
      board,
      reference,
      structure,
      clock: systemClock,
    })
    const at = quarterHourOf(systemClock.now())
    const snapshot = await builder.build(at)
    const again = await elapsed(() => builder.build((at + 15 * 60_000) as Millis))
    const worldSnapshots = createWorldSnapshotService({
      board,
      reference,
      store: history,
      clock: systemClock,
    })
    const times: number[] = []
    for (let bucket = 0; bucket < WORLDS; bucket++) {
      const start = (at + bucket * WORLD_INTERVAL) as Millis
      times.push(await elapsed(() => worldSnapshots.build(start, snapshot)))
    }
    return { snapshot: again, world: median(times) }
  } finally {
    await history.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Milliseconds of pairing so many markets, repeatedly. */
function pairingOver(count: number): () => Promise<number> {
  const prints = catalogueOf(count, systemClock.now()).map((facts) =>
    fingerprintOf({ ...facts, mark: 50 as Cents }),
  )
  return () => elapsed(() => Promise.resolve(pairMarkets(prints)))
}

async function untilReady(url: string): Promise<void> {
  const until = systemClock.monotonic() + 180_000
  while (systemClock.monotonic() < until) {
    const answer = await fetch(`${url}/api/agent/world`)
    await answer.arrayBuffer()
    if (answer.ok) return
    await pause(250)
  }
  throw new Error('no world was published within three minutes')
}

async function timesOf(addresses: readonly string[]): Promise<{ p50: number; p99: number }> {
  const times: number[] = []
  for (const address of addresses) {
    times.push(
      await elapsed(async () => {
        const answer = await fetch(address)
        await answer.arrayBuffer()
        if (!answer.ok) throw new Error(`${address} answered ${answer.status}`)
      }),
    )
  }
  const sorted = times.sort((a, b) => a - b)
  return { p50: median(sorted), p99: sorted[Math.floor(sorted.length * 0.99)] ?? NaN }
}

/** Reads of the running service over so many markets, in a data folder of its own. */
export async function reads<T>(
  count: number,
  ask: (service: RunningService, folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'augury-bench-context-'))
  try {
    await (await historyIn(folder, count)).close()
    const service = await startService(['--data', folder, '--source', 'none'])
    try {
      await untilReady(service.url)
      return await ask(service, folder)
    } finally {
      await service.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** No other world may replace the one that is measured byte by byte. */
async function untilWorldStays(): Promise<void> {
  const settled = 20_000
  const needed = 60_000
  const into = systemClock.now() % WORLD_INTERVAL
  if (into < settled) await pause(settled - into)
  else if (into > WORLD_INTERVAL - needed) await pause(WORLD_INTERVAL - into + settled)
}

/**
 * World bytes against the same bytes written by node:http; restarted when the world changed
 * meanwhile.
 */
async function readyBytes(url: string, tries = 3): Promise<BenchRow> {
  try {
    return await bytesInTurns(url)
  } catch (error) {
    if (!(error instanceof AnswersChanged) || tries <= 1) throw error
    return readyBytes(url, tries - 1)
  }
}

async function bytesInTurns(url: string): Promise<BenchRow> {
  const port = Number(new URL(url).port)
  const path = '/api/agent/world?format=json'
  await untilWorldStays()
  const body = new Uint8Array(await (await fetch(url + path)).arrayBuffer())
  const plain = new Worker(new URL('./plain-server.ts', import.meta.url), {
    workerData: { body, type: 'application/json; charset=utf-8' },
  })
  const [plainPort] = (await once(plain, 'message')) as [number]
  const options = { connections: 32, span: 1_000 }
  const figures = await inTurns(
    async () => (await load(port, path, options)).perSecond,
    async () => (await load(plainPort, '/', options)).perSecond,
  ).finally(() => plain.postMessage('stop'))
  return {
    name: `world of ${body.length >> 10} kB against node:http writing ready bytes`,
    ours: Math.round(figures.ours),
    baseline: Math.round(figures.baseline),
    unit: 'req/s',
    ratio: figures.ratio,
    goal: '≥ 0.6 ×',
    note: `32 connections, ratio spread ${(figures.spread * 100).toFixed(0)} %`,
  }
}

const absolute = (name: string, ours: number, goal: string, note: string | null): BenchRow => ({
  name,
  ours,
  baseline: null,
  unit: 'ms',
  ratio: null,
  goal,
  note,
})

/**
 * The context engine: worlds, pairs and dossiers over many markets; questions have a bench of their
 * own.
 */
export async function benchContextLoad(): Promise<BenchRow[]> {
  const [few, many] = [await worldsOver(MARKETS / 10), await worldsOver(MARKETS)]
  const pairs = await inTurns(pairingOver(PAIRED), pairingOver(PAIRED / 10))
  const first = await reads(MARKETS, ({ url }) => timesOf(dossiersOf(url, MARKETS)))
  const [bytes, rested] = await reads(DEFAULT_WINDOW, async (service) => {
    await service.whenIdle()
    const bytes = await readyBytes(service.url)
    // A snapshot or a world computed meanwhile is excluded.
    await service.whenIdle()
    return [bytes, await timesOf(dossiersOf(service.url, DEFAULT_WINDOW))]
  })
  return [
    absolute(
      `world of ${MARKETS} active markets, read, computed and stored`,
      many.world,
      '≤ 2,000 ms',
      `ten times fewer: ${few.world.toFixed(0)} ms`,
    ),
    absolute(
      `snapshot of ${MARKETS} markets, a quarter hour on`,
      many.snapshot,
      'none',
      `ten times fewer: ${few.snapshot.toFixed(0)} ms`,
    ),
    {
      name: `pairing ${PAIRED} markets, ten times those of the baseline`,
      ours: pairs.ours,
      baseline: pairs.baseline,
      unit: 'ms',
      ratio: pairs.ratio,
      goal: '≤ 12 ×',
      note: `ratio spread ${(pairs.spread * 100).toFixed(0)} %`,
    },
    bytes,
    ...inspectRows(DEFAULT_WINDOW, rested, ['≤ 5 ms', '≤ 20 ms'], 'cold, once the past is read'),
    ...inspectRows(MARKETS, first, ['none', 'none'], 'cold, while the month before is read'),
  ]
}

/** Addresses of dossiers of markets across the catalogue. */
function dossiersOf(url: string, count: number): string[] {
  const every = Math.floor(count / DOSSIERS)
  return catalogueOf(count, systemClock.now())
    .filter((_, i) => i % every === 0)
    .map(({ ticker }) => `${url}/api/agent/inspect/${ticker}`)
}

const inspectRows = (
  count: number,
  { p50, p99 }: { readonly p50: number; readonly p99: number },
  [half, max]: readonly [string, string],
  note: string,
): BenchRow[] => [
  absolute(`inspect, ${count} live markets, p50`, p50, half, note),
  absolute(`inspect, ${count} live markets, p99`, p99, max, note),
]
