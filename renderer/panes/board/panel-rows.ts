import type { Panel } from '../../api/watch-types.ts'
import type { PanelView } from './panel-view.ts'

type Row = Readonly<Record<string, unknown>>

/** A panel as a row of what leaves the board. */
export const panelRow = (panel: Panel, view: PanelView | null): Row => ({
  ...{ id: panel.id, title: panel.title, kind: panel.kind, status: panel.status },
  ...{ visualization: panel.spec.display.visualization, lastRunAt: panel.lastRunAt },
  ...{ asOf: panel.sourceClock?.asOf ?? null, summary: view?.summary ?? null },
})

/** The rows of an open panel as they leave it: values where there are any, words elsewhere. */
export const viewRows = (view: PanelView | null): readonly Row[] =>
  (view?.rows ?? []).map(({ ticker, cells }) => ({
    ...(ticker !== null && { ticker }),
    ...Object.fromEntries(
      Object.entries(cells).map(([id, { order, text }]) => [id, order ?? text]),
    ),
  }))
