import {
  bollingerSeries,
  exponentialMeans,
  realisedVolatilities,
  relativeStrengths,
  simpleMeans,
  volumeWeightedMeans,
  vwapPeriod,
  type BarValues,
} from '../../../../backend/domain/trend/study-series.ts'
import { TECHNICALS_PARAMS } from '../../../../backend/domain/trend/technicals.ts'
import { tradedBars, type ChartBar } from '../../../charts/chart-bars.ts'
import type { StudyPane } from '../../../charts/layers/line-layers.ts'
import type { OverlayLine } from '../../../charts/layers/overlay-lines.ts'
import { studyLabel, studyWord, type Study } from '../../../charts/study-types.ts'

/** A study as a chart draws it: on the price's axis, or in a pane of its own. */
export interface DrawnStudy {
  readonly study: Study
  readonly lines: readonly OverlayLine[]
  /** Null for lines on the price's axis. */
  readonly pane: StudyPane | null
}

const cents = (value: number): string => `${value.toFixed(1)}¢`

interface LineStyle {
  readonly colour: number
  readonly dash?: readonly number[]
}

const lineOf = (study: Study, label: string, values: BarValues, style: LineStyle): OverlayLine => ({
  id: `${studyWord(study)} ${label}`,
  label,
  colour: style.colour,
  dash: style.dash ?? [],
  isStepped: false,
  values,
  isLabelled: false,
})

/** Lines of a study over bars; null for a study that is not drawn as lines. */
export function studyLines(
  study: Study,
  bars: readonly ChartBar[],
  seconds: number,
  colour: number,
): DrawnStudy | null {
  const label = studyLabel(study)
  const closes = bars.map(({ price }) => price)
  const length = study.length ?? 0
  const onPriceAxis = (values: BarValues, style: LineStyle = { colour }): DrawnStudy => ({
    study,
    lines: [lineOf(study, label, values, style)],
    pane: null,
  })
  switch (study.name) {
    case 'sma':
      return onPriceAxis(simpleMeans(closes, length))
    case 'ema':
      return onPriceAxis(exponentialMeans(closes, length), { colour, dash: [7, 3] })
    case 'vwap':
      return onPriceAxis(volumeWeightedMeans(tradedBars(bars), vwapPeriod(seconds)), {
        colour,
        dash: [2, 2],
      })
    case 'bb': {
      const bands = bollingerSeries(closes, length, TECHNICALS_PARAMS.bandWidth)
      const dash = [4, 4]
      return {
        study,
        lines: [
          lineOf(
            study,
            `${label} upper`,
            bands.map((band) => band?.upper ?? null),
            { colour, dash },
          ),
          lineOf(
            study,
            `${label} middle`,
            bands.map((band) => band?.middle ?? null),
            { colour },
          ),
          lineOf(
            study,
            `${label} lower`,
            bands.map((band) => band?.lower ?? null),
            { colour, dash },
          ),
        ],
        pane: null,
      }
    }
    case 'rsi':
      return {
        ...onPriceAxis(relativeStrengths(closes, length)),
        pane: {
          title: label,
          guides: [30, 70],
          range: { low: 0, high: 100 },
          text: (value) => value.toFixed(0),
        },
      }
    case 'vol':
      return {
        ...onPriceAxis(realisedVolatilities(closes, length, seconds)),
        pane: { title: `${label}, ¢ per √hour`, guides: [], range: null, text: cents },
      }
    default:
      return null
  }
}

/** The spread of two markets in a pane of its own. */
export const spreadLines = (
  study: Study,
  values: BarValues,
  other: string,
  colour: number,
): DrawnStudy => ({
  study,
  lines: [lineOf(study, studyLabel(study), values, { colour })],
  pane: {
    title: `Spread to ${other}, percentage points`,
    guides: [0],
    range: null,
    text: (value) => value.toFixed(1),
  },
})
