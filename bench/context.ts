// The context engine over sample worlds, scored against what the simulator knows to be true.
import { meanOf } from '../backend/domain/statistics/statistics.ts'
import { HOUR, type Millis } from '../backend/domain/units.ts'
import type { BenchRow } from './bench-row.ts'
import { scoreAnchors } from './truth/anchors.ts'
import { scoreCatalysts } from './truth/catalysts.ts'
import { scoreLinks } from './truth/contagion.ts'
import { scoreDivergences } from './truth/divergences.ts'
import { scoreExplained } from './truth/explained.ts'
import { fairErrors, type FairErrors } from './truth/fair.ts'
import { scoreMovers } from './truth/movers.ts'
import { scorePairs } from './truth/pairs.ts'
import { scoreRegimes } from './truth/regimes.ts'
import { sampleMoments, type SampleMoment } from './truth/sample-world.ts'
import { shareOf, sumOfScores, type Score } from './truth/score.ts'

const SEEDS = [1, 2, 3]
const MARKETS = 2_000
const END = Date.parse('2026-11-20T14:00:00.000Z')
/** Every six hours of the last days, so that each opening gap is in one window of divergences. */
const INSTANTS = [36, 30, 24, 18, 12, 6, 0].map((hours) => (END - hours * HOUR) as Millis)

type Subject =
  'pairs' | 'divergences' | 'regimes' | 'catalysts' | 'links' | 'movers' | 'anchors' | 'explained'
interface MomentScores {
  readonly scores: Readonly<Record<Subject, Score>>
  readonly fair: FairErrors
}

const scoresOf = async (moment: SampleMoment): Promise<MomentScores> => ({
  scores: {
    pairs: scorePairs(moment),
    divergences: scoreDivergences(moment),
    regimes: scoreRegimes(moment),
    catalysts: scoreCatalysts(moment),
    links: scoreLinks(moment),
    movers: scoreMovers(moment),
    anchors: scoreAnchors(moment),
    explained: await scoreExplained(moment),
  },
  fair: fairErrors(moment),
})

interface RowText {
  readonly subject: Subject
  readonly name: string
  readonly measure: 'precision' | 'recall' | 'accuracy'
  readonly goal: string
  /** What is counted, or why the goal is missed. */
  readonly note: string
}

const ROWS: readonly RowText[] = [
  {
    subject: 'pairs',
    name: 'pairs at confidence 0.8',
    measure: 'precision',
    goal: '≥ 0.98',
    note: 'the same question under the same rules on both venues',
  },
  {
    subject: 'pairs',
    name: 'pairs at confidence 0.8',
    measure: 'recall',
    goal: '≥ 0.85',
    note: 'the same question under the same rules on both venues',
  },
  {
    subject: 'divergences',
    name: 'divergences',
    measure: 'precision',
    goal: '≥ 0.8',
    note: 'at least half of the gap is an error of a price',
  },
  {
    subject: 'divergences',
    name: 'divergences',
    measure: 'recall',
    goal: '≥ 0.7',
    note: 'of planted gaps of 5¢ that opened in the last six hours',
  },
  {
    subject: 'regimes',
    name: 'regime labels',
    measure: 'accuracy',
    goal: '≥ 0.8',
    note: 'markets with enough prints to leave the prior',
  },
  {
    subject: 'catalysts',
    name: 'catalysts of seven days',
    measure: 'precision',
    goal: 'none',
    note: 'by market and hour',
  },
  {
    subject: 'catalysts',
    name: 'catalysts of seven days',
    measure: 'recall',
    goal: '≥ 0.95',
    note: 'by market and hour',
  },
  {
    subject: 'links',
    name: 'contagion links between events',
    measure: 'precision',
    goal: 'none',
    note: 'one theme moves both ends',
  },
  {
    subject: 'links',
    name: 'events that follow their theme by hours',
    measure: 'recall',
    goal: 'none',
    note: 'with a lead–lag link',
  },
  {
    subject: 'movers',
    name: 'movers',
    measure: 'precision',
    goal: 'none',
    note: 'the chance moved by 5¢ too',
  },
  {
    subject: 'movers',
    name: 'movers',
    measure: 'recall',
    goal: 'none',
    note: 'of the largest ten among liquid markets',
  },
  {
    subject: 'anchors',
    name: 'stable anchors',
    measure: 'precision',
    goal: 'none',
    note: 'the chance varied by 1.5¢ at most',
  },
  {
    subject: 'anchors',
    name: 'worlds with a stable anchor',
    measure: 'recall',
    goal: 'none',
    note: 'calm and much traded events exist in each',
  },
  {
    subject: 'explained',
    name: 'explained causes',
    measure: 'recall',
    goal: '≥ 0.7',
    note: 'items whose true cause the venues show and that name it',
  },
]

/** Precision, recall or accuracy of each kind of answer, over all instants of all worlds together. */
export async function benchContext(): Promise<BenchRow[]> {
  const moments: MomentScores[] = []
  for (const seed of SEEDS) {
    process.stderr.write(`context: the world of seed ${seed} …\n`)
    moments.push(...(await sampleMoments({ seed, markets: MARKETS, instants: INSTANTS }, scoresOf)))
  }
  const totalOf = (subject: Subject): Score =>
    sumOfScores(moments.map(({ scores }) => scores[subject]))
  return [...ROWS.map((text) => scoredRow(text, totalOf(text.subject))), fairRow(moments)]
}

function scoredRow({ name, measure, goal, note }: RowText, total: Score): BenchRow {
  const [part, whole] =
    measure === 'recall' ? [total.recalled, total.expected] : [total.right, total.found]
  return {
    name: `${name}, ${measure}`,
    ours: shareOf(part, whole) ?? Number.NaN,
    baseline: null,
    unit: 'share',
    ratio: null,
    goal,
    note: `${part} of ${whole}: ${note}`,
  }
}

function fairRow(moments: readonly MomentScores[]): BenchRow {
  const fair = moments.flatMap((moment) => moment.fair.fair)
  const price = moments.flatMap((moment) => moment.fair.price)
  const [ours, baseline] = [meanOf(fair) ?? Number.NaN, meanOf(price) ?? Number.NaN]
  return {
    name: 'fair prices of edges, mean error against the true chance; baseline is the market price',
    ours,
    baseline,
    unit: '¢',
    ratio: ours / baseline,
    goal: '≤ 1 ×',
    note: `${fair.length} edges`,
  }
}
