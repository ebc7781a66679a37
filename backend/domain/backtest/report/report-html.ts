import type { Attribution } from './attribution.ts'
import { areaChart, barChart, calibrationChart } from './report-charts.ts'
import { escapeMarkup, iso, number, percent, table, usd } from './report-markup.ts'
import type { RunReport } from './report.ts'
import { studyHtml } from '../studies/study-html.ts'
import { capacityHtml, intervalsHtml } from '../studies/studies-html.ts'

/** A report as one self-contained page: no script, font or image. */
export function reportHtml(report: RunReport): string {
  const { equityCurve: curve } = report
  let peak = -Infinity
  const drawdown = curve.equity.map((value) => {
    peak = Math.max(peak, value)
    return peak > 0 ? (value / peak - 1) * 100 : 0
  })
  const exposure = curve.equity.map((value, i) =>
    value > 0 ? ((curve.cost[i] ?? 0) / value) * 100 : 0,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escapeMarkup(report.strategy)} · backtest</title><style>${STYLE}</style></head><body>
<h1>${escapeMarkup(report.strategy)}</h1>
<p>${escapeMarkup(report.about)}</p>
<p class="dim">${iso(report.from)} to ${iso(report.to)} UTC · ${escapeMarkup(report.scope)} · ${report.events.toLocaleString('en')} events · seed ${report.seed} · engine ${report.engine ?? 'unknown'}</p>
<section class="facts">${facts(report)}</section>
<h2>What would invalidate this</h2>
<ul>${report.invalidatedBy.map((reason) => `<li>${escapeMarkup(reason)}</li>`).join('')}</ul>
${report.study === null ? '' : studyHtml(report.study)}${intervalsHtml(report)}${report.capacity === null ? '' : capacityHtml(report.capacity)}
<h2>Equity</h2>${areaChart({ at: curve.at, values: curve.equity, unit: '$', label: 'Equity in dollars by time' })}
<h2>Drawdown</h2>${areaChart({ at: curve.at, values: drawdown, unit: '%', label: 'Drawdown in percent by time' })}
<h2>Exposure</h2>${areaChart({ at: curve.at, values: exposure, unit: '%', label: 'Cost of open lots in percent of equity' })}
<h2>Entry prices against outcomes</h2>${
    report.entries === null
      ? '<p>No lot was settled with YES or NO.</p>'
      : `<p>Brier ${number(report.entries.brier, 4)} over ${report.entries.n} lots, base rate ${percent(report.entries.baseRate)}.</p>${calibrationChart(report.entries.buckets)}`
  }
<h2>By theme</h2>${barChart(report.byTheme.map(({ key, profit }) => ({ label: escapeMarkup(key), value: profit })))}
${attributions('By market', report.byMarket)}
${report.byTag.length > 1 ? attributions('By tag', report.byTag) : ''}
<h2>Orders that ended unfilled</h2>${table(
    ['Reason', 'Orders'],
    Object.entries(report.orderEnds).map(([reason, count]) => [
      escapeMarkup(reason),
      String(count),
    ]),
  )}
<h2>Gaps crossed</h2>${
    report.gaps.length === 0
      ? '<p>None recorded in the range.</p>'
      : table(
          ['Market', 'Feed', 'From', 'To', 'State'],
          report.gaps
            .slice(0, 50)
            .map((gap) => [
              escapeMarkup(gap.ticker ?? gap.venue),
              gap.feed,
              iso(gap.from),
              gap.to === null ? '–' : iso(gap.to),
              gap.state,
            ]),
        )
  }
<h2>Trades</h2><p class="dim">The first ${report.tradeList.length} of ${report.trades}; all are in trades.csv and trades.parquet.</p>
${table(
  ['Time', 'Market', 'Order', 'Role', 'Price ¢', 'Contracts', 'Fee'],
  report.tradeList.map((trade) => [
    iso(trade.at),
    escapeMarkup(trade.ticker),
    `${trade.action} ${trade.side}`,
    trade.role,
    `${number(trade.price)}${trade.isEstimated ? ' *' : ''}`,
    String(trade.contracts),
    usd(trade.fee),
  ]),
)}
<p class="dim">* without a book or a size on file</p>
<h2>How orders were filled</h2>${table(
    ['Setting', 'Value'],
    [...Object.entries(report.model), ...Object.entries(report.params)].map(([name, value]) => [
      escapeMarkup(name),
      escapeMarkup(String(value)),
    ]),
  )}
</body></html>
`
}

function facts(report: RunReport): string {
  const { returns } = report
  const rows: readonly (readonly [string, string])[] = [
    ['Profit', usd(report.profit)],
    ['Return', percent(returns.totalReturn, 2)],
    ['Sharpe (annual)', number(returns.sharpe)],
    ['Sharpe adjusted', number(returns.sharpeAdjusted)],
    ['Sortino (annual)', number(returns.sortino)],
    ['Max drawdown', percent(report.maxDrawdown, 2)],
    ['Hit rate', percent(report.hitRate)],
    ['Trades', String(report.trades)],
    ['Fees', usd(report.fees)],
    ['Slippage', usd(report.slippage)],
    ['Turnover per day', percent(report.turnover)],
    ['Exposure', percent(report.exposure)],
    ['Maker share', percent(report.makerShare)],
    ['Estimated fills', percent(report.estimatedShare)],
    ['Holding', report.meanHoldingDays === null ? '–' : `${number(report.meanHoldingDays)} d`],
    ['Open at the end', String(report.open.length)],
  ]
  return rows.map(([name, value]) => `<div><span>${name}</span><b>${value}</b></div>`).join('')
}

const attributions = (title: string, rows: readonly Attribution[]): string =>
  `<h2>${title}</h2>${table(
    ['', 'Profit', 'Fees', 'Trades', 'Contracts'],
    rows
      .slice(0, 50)
      .map((row) => [
        escapeMarkup(row.title ?? (row.key === '' ? 'untagged' : row.key)),
        usd(row.profit),
        usd(row.fees),
        String(row.trades),
        number(row.contracts, 0),
      ]),
  )}${rows.length > 50 ? `<p class="dim">and ${rows.length - 50} more</p>` : ''}`

const STYLE = `body{font:14px/1.5 system-ui,sans-serif;max-width:960px;margin:2rem auto;padding:0 1rem;color:#1d232b;background:#fff}
h1{margin:0}h2{margin:2rem 0 .5rem;font-size:1.1rem}.dim{color:#5b6672}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(140px,1fr));gap:.5rem}
.facts div{border:1px solid #d5dbe1;padding:.4rem .6rem}.facts span{display:block;color:#5b6672;font-size:.8rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}th,td{text-align:left;padding:.2rem .5rem;border-bottom:1px solid #e5e9ed}
svg{width:100%;height:auto;display:block}svg text{font:11px system-ui,sans-serif;fill:#5b6672}`
