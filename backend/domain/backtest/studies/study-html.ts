import { escapeMarkup, iso, number, percent, table, usd } from '../report/report-markup.ts'
import type { Params } from '../strategy.ts'
import { trialCounts, type Study } from './study.ts'

const MAX_ROWS = 500
const paramsIn = (params: Params): string =>
  escapeMarkup(
    Object.entries(params)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(', '),
  )

/** Trials, selection and significance of a study, as markup. */
export function studyHtml(study: Study): string {
  const { kind, method, seed, trials, gridPoints, luck, overfitting, chosen, folds } = study
  const counts = trialCounts(trials)
  const title = kind === 'sweep' ? 'Sweep' : 'Walk-forward'
  const verdict = luck.isDistinguishable ? 'More than luck.' : 'Not distinguishable from luck.'
  return `<h2>${title}</h2><p>${method}, seed ${seed}: ${trials.length} trials of a grid of ${gridPoints} points, ${counts.abandoned} abandoned, ${counts.failed} failed.</p>
<p>Daily Sharpe ${number(luck.sharpe, 3)}; luck in ${number(luck.effectiveTrials, 1)} independent trials gives ${number(luck.expectedMaxSharpe, 3)}; deflated ${number(luck.deflated, 3)}. <b>${verdict}</b></p>${
    overfitting === null
      ? ''
      : `<p>Probability of overfitting: ${overfitting.chance === null ? `unknown, ${overfitting.why ?? ''}` : `${percent(overfitting.chance, 0)} of ${overfitting.splits} splits of ${overfitting.trials} trials`}.</p>`
  }${
    chosen === null
      ? ''
      : `<p>Selected: ${paramsIn(chosen.params)}, by the median ${number(chosen.median, 3)} of itself and ${chosen.neighbours} neighbours. The best single trial was ${paramsIn(chosen.peak.params)} with ${number(chosen.peak.score, 3)}.</p>`
  }${folds.length === 0 ? '' : foldsHtml(study)}
<h3>Trials</h3>${table(
    ['Parameters', 'State', 'Days', 'Trades', 'Profit', 'Daily Sharpe', 'Median', 'Neighbours'],
    trials
      .slice(0, MAX_ROWS)
      .map((trial) => [
        paramsIn(trial.params),
        trial.error === null ? trial.state : `${trial.state}: ${escapeMarkup(trial.error)}`,
        String(trial.days),
        trial.trades === null ? '–' : String(trial.trades),
        trial.profit === null ? '–' : usd(trial.profit),
        number(trial.score, 3),
        number(trial.median, 3),
        trial.neighbours === null ? '–' : String(trial.neighbours),
      ]),
  )}${trials.length > MAX_ROWS ? `<p class="dim">and ${trials.length - MAX_ROWS} more in trials.csv</p>` : ''}`
}

const foldsHtml = ({ folds, stability, embargoMs }: Study): string =>
  `<p>The report covers the test ranges. ${embargoMs === null ? '' : `${number(embargoMs / 86_400_000, 1)} days lie between training and test.`}</p>${table(
    ['Test from', 'To', 'Selected', 'Training', 'Purged lots', 'Profit', 'Trades', 'Daily Sharpe'],
    folds.map((fold) => [
      iso(fold.testFrom),
      iso(fold.testTo),
      paramsIn(fold.params),
      number(fold.trainScore, 3),
      String(fold.purged),
      usd(fold.testProfit),
      String(fold.testTrades),
      number(fold.testSharpe, 3),
    ]),
  )}${table(
    ['Parameter', 'Fold by fold', 'Distinct', 'Most common', 'Mean steps'],
    stability.map((parameter) => [
      escapeMarkup(parameter.name),
      escapeMarkup(parameter.values.map(String).join(', ')),
      String(parameter.distinct),
      percent(parameter.commonest, 0),
      number(parameter.meanSteps, 1),
    ]),
  )}`
