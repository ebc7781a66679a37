import { MINUTE, SECOND } from '../../backend/domain/units.ts'
import { startDemoService, type DemoService } from '../../backend/testing/demo-service.ts'
import { JumpingClock } from '../../backend/testing/jumping-clock.ts'
import type { TortureCampaign, TortureFigure } from './campaign.ts'
import { JUMPS } from './clock-jumps/jumps.ts'
import { brokenPauses, wrongDecisions } from './clock-jumps/limits.ts'
import { checkTape } from './venue-faults/tape-check.ts'

const START = '2026-11-20T14:02:00.000Z'
/** Interval at which the history sorts closed hours. */
const SORT_EVERY = 5 * MINUTE
/** A sort takes time and delays the next one: none may be due when the observation ends. */
const SLACK = 30 * SECOND
/** Markets whose bars are checked after each jump. */
const CHECKED_AT = 20

/** Result of one jump there and back. */
interface JumpOutcome {
  /** Trades that the venues printed meanwhile. */
  readonly printed: number
  /** Of these, trades that a current read does not find, or finds at another time. */
  readonly missing: number
  readonly doubled: number
  readonly wrongBars: number
  readonly bars: number
  /** Difference between the actual and the expected number of sorts. */
  readonly wrongFires: number
  /** Markets whose quote has a future time once the clock is right again. */
  readonly datedAhead: number
  readonly lives: boolean
}

/** The wall time of the running service jumps there and back; the venues' clocks stay right. */
export const clockJumps: TortureCampaign = {
  name: 'clock-jumps',
  about: 'wall time jumps: limits hold, bars stay whole, schedules fire once, no trade is lost',
  rounds: 1,
  async run({ rounds, seed, log }) {
    const figures: TortureFigure[] = []
    for (let round = 0; round < rounds; round += 1)
      for (const { name, span } of JUMPS) {
        const outcome = await jumpUnderService(span, seed + round)
        log(`${name}: ${JSON.stringify(outcome)}`)
        figures.push(await figureOf(name, span(Date.parse(START)), outcome))
      }
    return figures
  },
}

async function figureOf(name: string, span: number, outcome: JumpOutcome): Promise<TortureFigure> {
  const decisions = await wrongDecisions(span)
  const pauses = await brokenPauses(span)
  const { printed, missing, doubled, wrongBars, wrongFires, datedAhead, bars, lives } = outcome
  return {
    name,
    value: [
      `wrong limit decisions ${decisions}, broken pauses ${pauses}`,
      `wrong bars ${wrongBars} of ${bars}`,
      `fires missed or doubled ${wrongFires}`,
      `trades missing ${missing} of ${printed}, doubled ${doubled}`,
      `quotes dated ahead ${datedAhead}`,
    ].join('; '),
    goal: 'all 0, the service survives',
    met:
      lives && decisions + pauses + wrongBars + wrongFires + missing + doubled + datedAhead === 0,
  }
}

/**
 * Runs the service before, during and after a jump of its clock.
 * @param stretch simulated time of each of the three, ms
 * @param step simulated time between two checks that the service is idle, ms; the longer, the later
 *   messages arrive
 */
export async function jumpUnderService(
  span: (now: number) => number,
  seed: number,
  { interval = SORT_EVERY, step }: { interval?: number; step?: number } = {},
): Promise<JumpOutcome> {
  const clocks: JumpingClock[] = []
  let sorts = 0
  const demo = await startDemoService({
    seed,
    markets: 60,
    start: START,
    activity: 400,
    clockOf(base) {
      const clock = new JumpingClock(base)
      clocks.push(clock)
      return clock
    },
    watched: (history) =>
      new Proxy(history, {
        get(target, name) {
          if (name === 'sortClosedHours') sorts += 1
          const value: unknown = Reflect.get(target, name, target)
          return typeof value === 'function' ? (value.bind(target) as unknown) : value
        },
      }),
  })
  try {
    const from = demo.clock.now()
    const sortsBefore = sorts
    const jump = span(from)
    await demo.advance(interval, step)
    for (const clock of clocks) clock.jump(jump)
    await demo.advance(interval, step)
    const under = await barsOf(demo)
    for (const clock of clocks) clock.jump(-jump)
    await demo.advance(interval + SLACK, step)
    const passed = demo.clock.now() - from
    const expected = Math.floor(passed / SORT_EVERY)
    const tape = await bothTapes(demo, from)
    const after = await barsOf(demo)
    const present = await demo.service.data.board.at(null)
    return {
      ...tape,
      datedAhead: present.list(null).filter(({ quotedAt }) => (quotedAt ?? 0) > demo.clock.now())
        .length,
      bars: under.bars + after.bars,
      wrongBars: under.wrong + after.wrong,
      wrongFires: Math.abs(sorts - sortsBefore - expected),
      lives: (await demo.ask('/api/public/markets?limit=5')).startsWith('200'),
    }
  } finally {
    await demo.stop()
  }
}

async function bothTapes(
  demo: DemoService,
  from: number,
): Promise<Pick<JumpOutcome, 'printed' | 'missing' | 'doubled'>> {
  const until = demo.clock.now() - MINUTE
  const venues = ['venue_a', 'venue_b'] as const
  const checks = await Promise.all(venues.map((venue) => checkTape(demo, venue, from, until)))
  const sum = (pick: 'printed' | 'missing' | 'extra'): number =>
    checks.reduce((total, check) => total + check[pick], 0)
  return { printed: sum('printed'), missing: sum('missing'), doubled: sum('extra') }
}

interface Bar {
  readonly t: number
  readonly o: number
  readonly h: number
  readonly l: number
  readonly c: number
}

/** Served bars of the busiest markets, and how many are out of order or have high below low. */
async function barsOf(demo: DemoService): Promise<{ bars: number; wrong: number }> {
  const listed = await demo.ask(`/api/public/markets?limit=${CHECKED_AT}&sort=volume24h`)
  const { markets } = JSON.parse(listed.slice(4)) as { markets: { ticker: string }[] }
  let [bars, wrong] = [0, 0]
  for (const { ticker } of markets) {
    const answer = await demo.ask(`/api/public/market/${ticker}/candles?tf=1m&limit=500`)
    const { candles } = JSON.parse(answer.slice(4)) as { candles: Bar[] }
    bars += candles.length
    for (const [index, bar] of candles.entries()) {
      const before = candles[index - 1]
      const isAfter = before === undefined || bar.t > before.t
      const isUpright = bar.h >= bar.l && bar.h >= bar.o && bar.l <= bar.c
      if (!isAfter || !isUpright) wrong += 1
    }
  }
  return { bars, wrong }
}
