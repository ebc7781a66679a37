import { DAY, roundTo, wholeMinute, type Millis } from '../../domain/units.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import { emptyHistogram, mergeInto, quantileOf } from '../../lib/latency-histogram.ts'
import type { MarketWatchHealth } from '../../contract/panels/panels.ts'
import type { PanelOutcomes } from './panel-outcomes.ts'
import type { PanelRunsStore, RunTally } from './panel-runs.store.ts'
import { PANEL_KINDS, PANEL_STATUSES, PRESET_IDS } from '../../contract/panels/panel-names.ts'
import type { PanelsStore } from './panels.store.ts'

const MAX_ERRORS = 20

const countOf = (
  tallies: readonly RunTally[],
  counts: (tally: RunTally) => boolean = () => true,
): number => tallies.reduce((sum, tally) => sum + (counts(tally) ? tally.runs : 0), 0)

/** Health of all users' panels, for administrators. */
export function createMarketWatchHealth(deps: {
  readonly panels: Pick<PanelsStore, 'counts'>
  readonly runs: Pick<PanelRunsStore, 'tallies' | 'errors'>
  readonly outcomes: Pick<PanelOutcomes, 'flush'>
  /** Data time; runs are dated by it. */
  readonly clock: Pick<Clock, 'now'>
}) {
  const { panels, runs, outcomes, clock } = deps
  return {
    async health(): Promise<MarketWatchHealth> {
      await outcomes.flush()
      const now = clock.now()
      const dayAgo = (now - DAY) as Millis
      const [counts, tallies, errors] = await Promise.all([
        panels.counts(),
        runs.tallies(wholeMinute(dayAgo)),
        runs.errors(dayAgo, MAX_ERRORS),
      ])
      const latencies = emptyHistogram()
      for (const tally of tallies) mergeInto(latencies, tally.latencies)
      const quantile = (q: number): number | null => {
        const elapsedMs = quantileOf(latencies, q)
        return elapsedMs === null || tallies.length === 0 ? null : roundTo(elapsedMs, 2)
      }
      const countPanels = (matches: (row: (typeof counts)[number]) => boolean): number =>
        counts.reduce((sum, row) => sum + (matches(row) ? row.count : 0), 0)
      return {
        panels_by_status_kind: PANEL_STATUSES.flatMap((status) =>
          PANEL_KINDS.map((kind) => ({
            status,
            kind,
            count: countPanels((row) => row.status === status && row.kind === kind),
          })),
        ),
        presets_active: PRESET_IDS.map((id) => ({
          id,
          count: countPanels(
            (row) => row.status === 'active' && row.kind === 'preset' && row.subject === id,
          ),
        })),
        runs_last_24h: {
          total: countOf(tallies),
          success: countOf(tallies, ({ isSuccess }) => isSuccess),
          error: countOf(tallies, ({ isSuccess }) => !isSuccess),
          manual: countOf(tallies, ({ trigger }) => trigger === 'manual'),
          scheduled: countOf(tallies, ({ trigger }) => trigger === 'scheduled'),
          p50_ms: quantile(0.5),
          p95_ms: quantile(0.95),
        },
        recent_errors: errors.map(({ at, panelId, runId, kind, reason, message }) => ({
          at: isoOf(at),
          panel_id: panelId,
          run_id: runId,
          kind,
          reason,
          message,
        })),
        generatedAt: isoOf(now),
      }
    },
  }
}
export type MarketWatchHealthService = ReturnType<typeof createMarketWatchHealth>
