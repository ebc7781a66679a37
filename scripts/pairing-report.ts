import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  calibrationCurve,
  expectedCalibrationError,
} from '../backend/domain/pairing/calibration.ts'
import type { CalibrationCurve, CalibrationSample } from '../backend/domain/pairing/calibration.ts'
import { PAIR_CALIBRATION } from '../backend/domain/pairing/calibration-curve.ts'
import { fingerprintOf } from '../backend/domain/pairing/fingerprint.ts'
import type { Fingerprint } from '../backend/domain/pairing/fingerprint.ts'
import { isRuleRead, labelledPairsFrom } from '../backend/testing/labelled-pair.ts'
import type { LabelledPair } from '../backend/testing/labelled-pair.ts'
import { candidatePairs } from '../backend/domain/pairing/blocking.ts'
import { judgePair } from '../backend/domain/pairing/judgement.ts'
import type { PairCalibration, PairJudgement } from '../backend/domain/pairing/judgement.ts'
import { PAIRING_PRESETS } from '../backend/domain/pairing/params.ts'
import type { PairingPreset } from '../backend/domain/pairing/params.ts'
import { titleWeights } from '../backend/domain/pairing/title-weights.ts'
import type { TitleWeights } from '../backend/domain/pairing/title-weights.ts'
import { wilsonInterval } from '../backend/domain/statistics/statistics.ts'
import { roundTo } from '../backend/domain/units.ts'
import { VENUES } from '../backend/domain/venue.ts'
import { recordedCatalogues, recordingsFolder } from './pairing-catalogue.ts'

/**
 * Measures pairing on the labelled pairs and the recorded titles: `node
 * scripts/pairing-report.ts`. With `--fit` it first fits the calibration on the training split and
 * writes it to the domain.
 */

interface Judged extends LabelledPair {
  readonly judgement: PairJudgement
  /** Whether blocking proposes the two for comparison; other pairs are never served. */
  readonly proposed: boolean
}

const DOMAIN = join(import.meta.dirname, '..', 'backend', 'domain', 'pairing')
const splitAt = (name: string): readonly LabelledPair[] =>
  labelledPairsFrom(
    JSON.parse(readFileSync(join(DOMAIN, 'labelled-pairs', `${name}.json`), 'utf8')),
  )

interface ReadCatalogue {
  readonly prints: ReadonlyMap<string, Fingerprint>
  readonly weights: TitleWeights
  readonly proposed: ReadonlySet<string>
}

const pairKey = (a: string, b: string): string => `${a} ${b}`

async function readCatalogues(folder: string): Promise<ReadonlyMap<string, ReadCatalogue>> {
  const catalogues = new Map<string, ReadCatalogue>()
  for (const { name, markets } of await recordedCatalogues(folder)) {
    const all = markets.map(fingerprintOf)
    const prints = new Map(all.map((print) => [`${print.venue} ${print.ticker}`, print]))
    const weights = titleWeights(all.map(({ terms }) => terms))
    const [left, right] = VENUES.map((side) => all.filter(({ venue }) => venue === side))
    const proposed = candidatePairs(left ?? [], right ?? [], weights).map(({ a, b }) =>
      pairKey(left?.[a]?.ticker ?? '', right?.[b]?.ticker ?? ''),
    )
    catalogues.set(name, { prints, weights, proposed: new Set(proposed) })
  }
  return catalogues
}

function judgePairs(
  pairs: readonly LabelledPair[],
  catalogues: ReadonlyMap<string, ReadCatalogue>,
  calibration: PairCalibration,
): Judged[] {
  return pairs.flatMap((pair) => {
    const catalogue = catalogues.get(pair.catalogue)
    const a = catalogue?.prints.get(`${VENUES[0]} ${pair.a}`)
    const b = catalogue?.prints.get(`${VENUES[1]} ${pair.b}`)
    if (catalogue === undefined || a === undefined || b === undefined) return []
    const judgement = judgePair(a, b, { weights: catalogue.weights, calibration })
    return [{ ...pair, judgement, proposed: catalogue.proposed.has(pairKey(pair.a, pair.b)) }]
  })
}

const isEquivalent = ({ label }: LabelledPair): boolean => label === 'equivalent'
const isVetoed = ({ judgement }: Judged): boolean => judgement.vetoes.length > 0
const isQualified = ({ judgement }: Judged): boolean => judgement.qualifiers.length > 0

function fit(pairs: readonly Judged[]): PairCalibration {
  const toSamples = (pairs: readonly Judged[]): CalibrationSample[] =>
    pairs.map((pair) => ({
      raw: pair.judgement.raw,
      equivalent: isEquivalent(pair),
      event: pair.event,
    }))
  const roundCurve = (curve: CalibrationCurve): CalibrationCurve =>
    curve.map(([raw, chance]) => [raw, roundTo(chance, 4)] as const)
  const proposed = pairs.filter((pair) => pair.proposed)
  const clear = proposed.filter((pair) => !isVetoed(pair) && !isQualified(pair))
  return {
    clear: roundCurve(calibrationCurve(toSamples(clear), proposed.length)),
    vetoed: roundCurve(calibrationCurve(toSamples(proposed.filter(isVetoed)), proposed.length)),
  }
}

function writeCalibration(calibration: PairCalibration): void {
  const curve = (points: CalibrationCurve): string =>
    `[\n${points
      .filter(
        ([, chance], index) =>
          chance !== points[index - 1]?.[1] || chance !== points[index + 1]?.[1],
      )
      .map(([raw, chance]) => `    [${raw}, ${chance}],\n`)
      .join('')}  ]`
  const text = `import type { PairCalibration } from './judgement.ts'

/** Fitted on the training split of the labelled pairs by \`scripts/pairing-report.ts --fit\`. */
export const PAIR_CALIBRATION: PairCalibration = {
  clear: ${curve(calibration.clear)},
  vetoed: ${curve(calibration.vetoed)},
}
`
  writeFileSync(join(DOMAIN, 'calibration-curve.ts'), text)
}

const share = (hits: number, trials: number): string => {
  const interval = wilsonInterval(hits, trials)
  if (interval === null) return 'none'
  return `${roundTo(hits / trials, 3)} [${roundTo(interval.low, 3)}, ${roundTo(interval.high, 3)}] (${hits}/${trials})`
}

function report(name: string, pairs: readonly Judged[], labelled: number): void {
  const equivalents = pairs.filter(isEquivalent)
  const proposed = pairs.filter((pair) => pair.proposed)
  console.log(
    `\n## ${name}: ${pairs.length} of ${labelled} pairs, ${equivalents.length} equivalent\n`,
  )
  console.log(
    `Proposed by blocking: ${proposed.length} pairs, ${share(proposed.filter(isEquivalent).length, equivalents.length)} of the equivalents.\n`,
  )
  console.log('| preset | precision | recall |\n|---|---|---|')
  for (const preset of Object.keys(PAIRING_PRESETS) as PairingPreset[]) {
    const min = PAIRING_PRESETS[preset].confidence
    const served = proposed.filter(({ judgement }) => judgement.confidence >= min)
    // A near miss may be shown, never traded.
    const right = served.filter(
      (pair) => isEquivalent(pair) || (preset === 'browse' && pair.label === 'near_miss'),
    )
    const found = served.filter(isEquivalent)
    console.log(
      `| ${preset} ≥ ${min} | ${share(right.length, served.length)} | ${share(found.length, equivalents.length)} |`,
    )
  }
  const errorOf = (pairs: readonly Judged[]): string => {
    const samples = pairs.map((pair) => ({
      confidence: pair.judgement.confidence,
      equivalent: isEquivalent(pair),
    }))
    return `${roundTo(expectedCalibrationError(samples) ?? 0, 3)} over ${pairs.length}`
  }
  const free = proposed.filter((pair) => isVetoed(pair) || !isQualified(pair))
  const turned = equivalents.filter(({ judgement, inverted }) => judgement.inverted !== inverted)
  console.log(
    `\nECE ${errorOf(free)} pairs without those that a qualifier holds at .74; ${errorOf(proposed)} with them.`,
  )
  console.log(`Orientation errors: ${turned.length} of ${equivalents.length}.`)
  for (const pair of turned) console.log(`- turned wrongly: ${pair.a} ${pair.b}`)
  for (const pair of proposed) {
    const isServed = pair.judgement.confidence >= PAIRING_PRESETS.arb.confidence
    if (isServed !== isEquivalent(pair))
      console.log(
        `- ${pair.label} at ${pair.judgement.confidence}: ${pair.titleA} ~ ${pair.titleB}`,
      )
  }
}

const folder = recordingsFolder()
if (folder === null) {
  console.log('No recorded data: set AUGURY_RECORDINGS to the folder that holds pairs/.')
} else {
  const catalogues = await readCatalogues(folder)
  let calibration = PAIR_CALIBRATION
  if (process.argv.includes('--fit')) {
    calibration = fit(judgePairs(splitAt('train'), catalogues, PAIR_CALIBRATION))
    writeCalibration(calibration)
  }
  for (const name of ['train', 'test']) {
    const pairs = splitAt(name)
    report(name, judgePairs(pairs, catalogues, calibration), pairs.length)
    const read = pairs.filter(isRuleRead)
    report(`${name}, both rules read`, judgePairs(read, catalogues, calibration), read.length)
  }
}
