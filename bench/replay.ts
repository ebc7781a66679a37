import { DAY, HOUR, SECOND } from '../backend/domain/units.ts'
import { systemClock } from '../backend/lib/clock.ts'
import { recordDay } from '../backend/testing/recorded-day.ts'
import { startReplayOf } from '../backend/testing/replayed-folder.ts'
import type { BenchRow } from './bench-row.ts'
import { benchReplayStart } from './replay-start.ts'
import { inScratch } from './scratch-history.ts'

const MARKETS = 50
const T0 = Date.parse('2026-08-01T00:00:00Z')
/** Between two requests of the agent, real milliseconds. */
const POLL_EVERY_MS = 50
const ROUNDS = 3

interface ReplayRun {
  /** Virtual seconds per real second. */
  readonly speed: number
  readonly polls: number
  readonly events: number
}

/** Replays the beginning of the day at `max` while an agent polls continuously. */
async function runReplay(dataDir: string, path: string, span: number): Promise<ReplayRun> {
  const replay = await startReplayOf(dataDir, { from: T0, to: T0 + span })
  try {
    const { control } = replay.replay
    await control.setSpeed('max')
    const startedAt = systemClock.monotonic()
    control.resume()
    let polls = 0
    while (control.position().state !== 'ended') {
      const { status } = await replay.get(path)
      if (status !== 200) throw new Error(`${path} answered ${status}`)
      polls += 1
      await systemClock.sleep(POLL_EVERY_MS)
    }
    const seconds = (systemClock.monotonic() - startedAt) / 1_000
    return { speed: span / SECOND / seconds, polls, events: replay.replay.events() }
  } finally {
    await replay.stop()
  }
}

/** Replay speed over a day of 50 markets while one agent polls it, and its startup time. */
export const benchReplay = (): Promise<BenchRow[]> =>
  inScratch(async (folder) => {
    await recordDay(folder, { markets: MARKETS, from: T0 })
    const rows: BenchRow[] = []
    for (const [description, path, span] of [
      [
        'a day of 50 markets at max, an agent that polls the markets',
        '/api/public/markets?limit=50',
        DAY,
      ],
      [
        'three hours of it, an agent that polls the world',
        '/api/agent/world?format=json',
        3 * HOUR,
      ],
    ] as const) {
      const runs: ReplayRun[] = []
      for (let round = 0; round < ROUNDS; round++) runs.push(await runReplay(folder, path, span))
      const [median] = runs.sort((a, b) => a.speed - b.speed).slice(Math.floor(ROUNDS / 2))
      if (median === undefined) continue
      rows.push({
        name: `replay of ${description}`,
        ours: median.speed,
        baseline: null,
        unit: 'x real time',
        ratio: null,
        goal: span === DAY ? '≥ 20,000' : '–',
        note: `${median.events} events, ${median.polls} polls, one each ${POLL_EVERY_MS} ms after the response`,
      })
    }
    rows.push(await benchReplayStart())
    return rows
  })
