import { VENUES } from '../../backend/domain/market.ts'
import { startDemoService } from '../../backend/testing/demo-service.ts'
import type { TortureCampaign, TortureFigure } from './campaign.ts'
import { FAULT_CASES, type FaultCase } from './venue-faults/fault-cases.ts'
import { playCase, type CaseOutcome } from './venue-faults/play-case.ts'

const START = '2026-11-20T14:02:00.000Z'

/**
 * Every scripted fault of both venues in sequence, against the whole service on a clock of our own.
 */
export const venueFaults: TortureCampaign = {
  name: 'venue-faults',
  about: 'each scripted fault of a venue: gaps marked and repaired, nothing lost or doubled',
  rounds: 1,
  async run({ rounds, seed, log }) {
    const outcomes: CaseOutcome[] = []
    for (let round = 0; round < rounds; round += 1) {
      // Most of a case is waiting, so the venues run in parallel.
      const played = VENUES.map((venue) => {
        const cases = FAULT_CASES.filter((fault) => fault.venue === venue)
        return playCases(cases, seed + round, log)
      })
      outcomes.push(...(await Promise.all(played)).flat())
    }
    return [...totalsOf(outcomes), ...outcomes.flatMap(figuresOf)]
  },
}

/** Runs these cases in sequence on one service. */
export async function playCases(
  cases: readonly FaultCase[],
  seed: number,
  log: (line: string) => void,
): Promise<CaseOutcome[]> {
  const demo = await startDemoService({ seed, markets: 60, start: START, activity: 400 })
  const outcomes: CaseOutcome[] = []
  try {
    for (const fault of cases) {
      const outcome = await playCase(demo, fault)
      outcomes.push(outcome)
      log(sentenceOf(outcome))
    }
  } finally {
    await demo.stop()
  }
  return outcomes
}

const sentenceOf = ({ name, struck, tape, gaps, wholeAfter, lives }: CaseOutcome): string =>
  `${name}: struck ${struck}; of ${tape.printed} trades ${tape.missing} missing, ${tape.extra} doubled; ` +
  `losses ${gaps.injected}, marked ${gaps.marked}; prints lost ${gaps.printsLost}, repaired ${gaps.printsRepaired}; ` +
  `whole after ${wholeAfter === null ? 'never' : `${wholeAfter / 1_000} s`}${lives ? '' : '; DIED'}`

/** Figures for docs/reliability.md. */
function totalsOf(outcomes: readonly CaseOutcome[]): TortureFigure[] {
  const sum = (of: (outcome: CaseOutcome) => number): number =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0)
  return [
    { name: 'cases', value: outcomes.length },
    { name: 'times struck', value: sum(({ struck }) => struck) },
    { name: 'trades printed', value: sum(({ tape }) => tape.printed) },
    { name: 'trades missing', value: sum(({ tape }) => tape.missing) },
    { name: 'trades doubled', value: sum(({ tape }) => tape.extra) },
    { name: 'gaps injected', value: sum(({ gaps }) => gaps.injected) },
    { name: 'gaps marked', value: sum(({ gaps }) => gaps.marked) },
    { name: 'prints lost', value: sum(({ gaps }) => gaps.printsLost) },
    { name: 'prints repaired', value: sum(({ gaps }) => gaps.printsRepaired) },
    { name: 'rows spoilt', value: sum(({ rowsCorrupted }) => rowsCorrupted) },
    { name: 'rows refused', value: sum(({ rowsRefused }) => rowsRefused) },
  ]
}

/** The row of the fault table: the fault, and whether every promise held. */
function figuresOf(outcome: CaseOutcome): TortureFigure[] {
  const { name, struck, tape, gaps, wholeAfter, requestsPerMinute, lives } = outcome
  const holds =
    lives &&
    struck > 0 &&
    tape.missing === 0 &&
    tape.extra === 0 &&
    gaps.marked === gaps.injected &&
    gaps.printsRepaired === gaps.printsLost &&
    outcome.rowsRefused === outcome.rowsCorrupted
  const value = [
    `struck ${struck}`,
    `gaps ${gaps.marked}/${gaps.injected}`,
    `repaired ${gaps.printsRepaired}/${gaps.printsLost}`,
    `missing ${tape.missing}, doubled ${tape.extra} of ${tape.printed}`,
    ...(outcome.rowsCorrupted > 0
      ? [`refused ${outcome.rowsRefused}/${outcome.rowsCorrupted}`]
      : []),
    `${requestsPerMinute} requests a minute`,
    `whole after ${wholeAfter === null ? 'never' : `${wholeAfter / 1_000} s`}`,
  ].join('; ')
  const goal = 'gaps injected = marked = repaired where the venue has the data, doubled 0, lives'
  return [{ name, value, goal, met: holds }]
}
