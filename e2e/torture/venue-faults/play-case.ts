import { VENUES, type Venue } from '../../../backend/domain/market.ts'
import { parseScript } from '../../../backend/simulator/faults/parse-fault.ts'
import type { DemoService } from '../../../backend/testing/demo-service.ts'
import type { FaultCase } from './fault-cases.ts'
import { checkGaps, type GapCheck } from './gap-check.ts'
import { checkTape, type TapeCheck } from './tape-check.ts'

/** Result of one scripted fault; durations in simulated milliseconds. */
export interface CaseOutcome {
  readonly name: string
  readonly struck: number
  readonly tape: TapeCheck
  readonly gaps: GapCheck
  /** From the last strike until history contained the whole tape; null when it never did. */
  readonly wholeAfter: number | null
  readonly rowsCorrupted: number
  readonly rowsRefused: number
  /** Requests a minute to the venue while the script ran. */
  readonly requestsPerMinute: number
  /** The service responds, and ingests the other venue. */
  readonly lives: boolean
}

const CHECK_EVERY = 10_000
/** Maximum delay of history behind the tape: the index of venue_b lags, and its tape is polled. */
const BEHIND = 45_000
/** Additional time for a script until every step has struck. */
const PATIENCE = 2 * 60_000
const MAX_REPAIR = 8 * 60_000
/** Longest pause of a host. */
const MAX_PAUSE = 5 * 60_000

/**
 * Runs a script against the service and waits until history is complete again, or for eight
 * minutes.
 */
export async function playCase(demo: DemoService, fault: FaultCase): Promise<CaseOutcome> {
  const { venue, steps, span, name } = fault
  const faults = parseScript({ steps: steps.map((step) => ({ venue, ...step })) })
  if (typeof faults === 'string') throw new Error(`${name}: ${faults}`)
  await untilRequested(demo, venue)
  const from = demo.clock.now()
  const known = demo.simulator.faults().length
  const before = countersOf(demo, venue)
  demo.simulator.scheduleFaults(faults)
  await demo.advance(span)
  const reportsOf = () => demo.simulator.faults().slice(known)
  // A venue that streams is rarely polled.
  while (
    reportsOf().some(({ effectCount }) => effectCount === 0) &&
    demo.clock.now() - from < span + PATIENCE
  )
    await demo.advance(CHECK_EVERY)
  demo.simulator.stopFaults()
  const playedFor = demo.clock.now() - from
  const played = countersOf(demo, venue)
  const { tape, gaps, wholeAfter } = await untilWhole(demo, fault, from)
  const reports = reportsOf()
  const refused = countersOf(demo, venue).refused - before.refused
  return {
    name,
    tape,
    gaps,
    wholeAfter,
    struck: reports.reduce((sum, report) => sum + report.effectCount, 0),
    rowsCorrupted:
      fault.refusesRows === true ? reports.reduce((sum, { corrupted }) => sum + corrupted, 0) : 0,
    rowsRefused: fault.refusesRows === true ? refused : 0,
    requestsPerMinute: Math.round(((played.requests - before.requests) * 60_000) / playedFor),
    lives: await isAlive(demo, from, fault),
  }
}

/** A host that is still paused after the previous case would not be affected. */
async function untilRequested(demo: DemoService, venue: Venue): Promise<void> {
  const until = demo.clock.now() + MAX_PAUSE
  const isPaused = (): boolean => (demo.service.data.health(venue)?.pausedHosts ?? []).length > 0
  while (isPaused() && demo.clock.now() < until) await demo.advance(CHECK_EVERY)
}

async function untilWhole(
  demo: DemoService,
  { venue, isAhead = false }: FaultCase,
  from: number,
): Promise<Pick<CaseOutcome, 'tape' | 'gaps' | 'wholeAfter'>> {
  const started = demo.clock.now()
  const until = started
  for (;;) {
    await demo.advance(CHECK_EVERY)
    const tape = await checkTape(demo, venue, from, until, { isAhead })
    const gaps = await checkGaps(demo, venue, from)
    const passed = demo.clock.now() - started
    const isWhole =
      tape.missing === 0 && tape.extra === 0 && gaps.printsRepaired === gaps.printsLost
    if (isWhole) return { tape, gaps, wholeAfter: passed }
    if (passed >= MAX_REPAIR) return { tape, gaps, wholeAfter: null }
  }
}

function countersOf(demo: DemoService, venue: Venue): { requests: number; refused: number } {
  const health = demo.service.data.health(venue)
  const refused = Object.values(health?.skipped ?? {}).reduce((sum, count) => sum + count, 0)
  return { requests: health?.requests ?? 0, refused }
}

async function isAlive(demo: DemoService, from: number, fault: FaultCase): Promise<boolean> {
  const answer = await demo.ask('/api/public/markets?limit=5')
  const others = await Promise.all(
    VENUES.map((venue) => {
      const isAhead = fault.venue === venue && fault.isAhead === true
      return checkTape(demo, venue, from, demo.clock.now() - BEHIND, { isAhead })
    }),
  )
  return answer.startsWith('200') && others.every(({ extra }) => extra === 0)
}
