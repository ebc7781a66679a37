import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenApiDocument } from '../../backend/http/routes/openapi.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../backend/domain/units.ts'
import { startDemoService, type DemoService } from '../../backend/testing/demo-service.ts'
import { differenceOf } from './as-of/difference.ts'
import { changingReads, earlyOutcomesOf, type EarlyOutcomes } from './as-of/look-ahead.ts'
import { takeChangingProbe, takeProbe, type Probe } from './as-of/probes.ts'
import { readsOf } from './as-of/questions.ts'
import { scheduleFailure } from './as-of/troubles.ts'
import type { TortureCampaign, TortureFigure } from './campaign.ts'
import { chanceOf, type Chance } from './chance.ts'

/** Shortly before an hour closes, so that it is sorted while answers are recorded. */
const START = '2026-11-20T13:54:00.000Z'
const PROBES_AT_ONCE = 10
const MAX_STEP = 8 * SECOND
const MAX_DISTANCES = [0, 20 * SECOND, 3 * MINUTE] as const
const COARSE = 15 * SECOND
const LISTED_DIFFERENCES = 20

/** Reads at an instant are repeated with `asOf` after many further events. */
export const asOf: TortureCampaign = {
  name: 'as-of',
  about: 'answers recorded live against the same asked with asOf after faults, hours and restarts',
  rounds: 1_000,
  async run({ rounds, seed, log }) {
    return figuresOf(await recordAndAsk({ probes: rounds, seed, log }))
  },
}

/** Amount of events around the answers. */
export interface AsOfCourse {
  /** One in so many steps begins with a fault. */
  readonly failureOneIn: number
  /** While they are recorded. */
  readonly restarts: number
  /** Wait after the last answer, in which late trades arrive, gaps are filled and hours sorted. */
  readonly afterwards: number
  /** Downtime of the service after that. */
  readonly away: number
}
const WHOLE: AsOfCourse = {
  failureOneIn: 3,
  restarts: 3,
  afterwards: 12 * MINUTE,
  away: 2 * HOUR,
}

export interface AsOfOutcome {
  /** Recorded answers about the present, about the past, and of the data service. */
  readonly live: number
  readonly past: number
  readonly data: number
  readonly routes: number
  readonly requestedRoutes: number
  readonly struck: number
  readonly kinds: readonly string[]
  readonly hoursPassed: number
  /** One line each. */
  readonly differences: readonly string[]
  readonly outcomes: EarlyOutcomes
}

/** Records answers while the venues misbehave, advances time, and repeats the reads twice. */
export async function recordAndAsk(options: {
  probes: number
  seed: number
  log: (line: string) => void
  course?: AsOfCourse
}): Promise<AsOfOutcome> {
  const { seed, log, course = WHOLE } = options
  const chance = chanceOf(seed)
  const dataDir = mkdtempSync(join(tmpdir(), 'augury-as-of-'))
  const demo = await startDemoService({
    seed,
    markets: 60,
    start: START,
    activity: 400,
    dataDir,
    withPast: true,
  })
  try {
    const probes = await record(demo, { ...course, probeCount: options.probes }, chance, log)
    await demo.advance(course.afterwards, COARSE)
    log(`${probes.length} answers are recorded and asked again`)
    const differences = await differencesOf(probes, 'later')
    await demo.restart(course.away)
    differences.push(...(await differencesOf(probes, 'after a long time away')))
    for (const line of differences.slice(0, LISTED_DIFFERENCES)) log(line)
    const outcomes = await earlyOutcomesOf(demo)
    for (const line of outcomes.early.slice(0, LISTED_DIFFERENCES)) log(line)
    const count = (kind: Probe['kind']): number =>
      probes.filter((probe) => probe.kind === kind).length
    const reads = readsOf(await documentOf(demo))
    const struck = demo.simulator.faults().filter((report) => report.effectCount > 0)
    return {
      live: count('live'),
      past: count('past'),
      data: count('data'),
      differences,
      outcomes,
      routes: reads.length,
      requestedRoutes: reads.filter(({ path }) => probes.some(({ route }) => route === path))
        .length,
      struck: struck.length,
      kinds: [...new Set(struck.map(({ kind }) => kind))].sort(),
      hoursPassed: (demo.clock.now() - Date.parse(START)) / HOUR,
    }
  } finally {
    await demo.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** The first answers: reads whose result differs at every later instant. */
async function changingProbes(demo: DemoService, tickers: readonly string[]): Promise<Probe[]> {
  const probes: Probe[] = []
  for (const path of changingReads(tickers)) probes.push(await takeChangingProbe(demo, path))
  return probes
}

/** Answers of random reads at random instants, with faults and restarts between them. */
async function record(
  demo: DemoService,
  { probeCount, restarts, failureOneIn }: AsOfCourse & { readonly probeCount: number },
  chance: Chance,
  log: (line: string) => void,
): Promise<Probe[]> {
  const reads = readsOf(await documentOf(demo))
  const tickers = await tickersOf(demo)
  const instants = [-2 * DAY, -5 * HOUR, 10 * DAY].map((span) =>
    new Date(Date.parse(START) + span).toISOString(),
  )
  const probes = await changingProbes(demo, tickers)
  const total = probes.length + probeCount
  const restartAt = Array.from({ length: restarts }, (_, n) =>
    Math.floor(((n + 1) * probeCount) / (restarts + 1)),
  )
  while (probes.length < total) {
    if (chance.integer(failureOneIn) === 0) scheduleFailure(demo, chance)
    await demo.advance(chance.integer(MAX_STEP))
    if (probes.length >= (restartAt[0] ?? Infinity)) {
      restartAt.shift()
      await demo.restart(chance.among(MAX_DISTANCES))
      log(`restarted after ${probes.length} answers`)
    }
    const before = newsOf(demo)
    const recorded: Probe[] = []
    for (let n = 0; n < Math.min(PROBES_AT_ONCE, total - probes.length); n += 1) {
      const probe = await takeProbe(demo, { reads, names: { tickers, instants }, chance })
      if (probe !== null) recorded.push(probe)
    }
    // Data that arrived during the read is known at its instant: those answers do not count.
    await demo.untilQuiet()
    if (newsOf(demo) === before) probes.push(...recorded)
  }
  demo.simulator.stopFaults()
  return probes
}

async function differencesOf(probes: readonly Probe[], when: string): Promise<string[]> {
  const differences: string[] = []
  for (const { name, answer, again } of probes) {
    const now = await again()
    if (now !== answer) differences.push(`${name}, ${when}: ${differenceOf(answer, now)}`)
  }
  return differences
}

function newsOf(demo: DemoService): string {
  const { accepted, corrections } = demo.service.data.pipeline()
  return `${accepted} ${corrections}`
}

async function documentOf(demo: DemoService): Promise<OpenApiDocument> {
  return JSON.parse((await demo.ask('/openapi.json')).slice(4)) as OpenApiDocument
}

/** The most traded markets of both venues, which faults affect, and some ended ones. */
async function tickersOf(demo: DemoService): Promise<string[]> {
  const queries = [
    'venue=venue_a&limit=8',
    'venue=venue_b&limit=8',
    'venue=venue_a&status=settled&limit=2',
    'venue=venue_b&status=settled&limit=2',
  ]
  const lists = await Promise.all(
    queries.map(async (query) => {
      const answer = await demo.ask(`/api/public/markets?${query}`)
      const { markets } = JSON.parse(answer.slice(4)) as { markets: { ticker: string }[] }
      return markets.map(({ ticker }) => ticker)
    }),
  )
  return lists.flat()
}

function figuresOf(outcome: AsOfOutcome): TortureFigure[] {
  const { live, past, data, routes, requestedRoutes, differences, outcomes } = outcome
  return [
    { name: 'answers recorded of the present', value: live },
    { name: 'answers recorded of the past', value: past },
    { name: 'answers recorded of the data service', value: data },
    {
      name: 'reads with asOf asked',
      value: `${requestedRoutes} of ${routes}`,
      goal: 'all',
      met: requestedRoutes === routes,
    },
    {
      name: 'scripted faults that struck',
      value: outcome.struck,
      goal: '> 0',
      met: outcome.struck > 0,
    },
    { name: 'kinds of them', value: outcome.kinds.join(', ') },
    { name: 'restarts on the same folder', value: WHOLE.restarts + 1 },
    { name: 'simulated hours from first to last', value: Number(outcome.hoursPassed.toFixed(1)) },
    {
      name: 'answers that were another when asked again',
      value: differences.length,
      goal: '0',
      met: differences.length === 0,
    },
    {
      name: 'settled markets whose earlier facts were looked at',
      value: outcomes.looked,
      goal: '> 0',
      met: outcomes.looked > 0,
    },
    {
      name: 'earlier facts that name the outcome',
      value: outcomes.early.length,
      goal: '0',
      met: outcomes.early.length === 0,
    },
  ]
}
