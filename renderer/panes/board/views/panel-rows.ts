import type { Panel } from '../../../../backend/contract/panels/panels.ts'
import type { PanelView } from './panel-view.ts'

type Row = Readonly<Record<string, unknown>>

/** A panel as a row of an export. */
export const panelRow = (panel: Panel, view: PanelView | null): Row => ({
  id: panel.id,
  title: panel.title,
  kind: panel.kind,
  status: panel.status,
  visualization: panel.spec.display.visualization,
  lastRunAt: panel.lastRunAt,
  asOf: panel.sourceClock?.asOf ?? null,
  summary: view?.summary ?? null,
})

/** The rows of an open panel for export: raw values when there are any, else texts. */
export const viewRows = (view: PanelView | null): readonly Row[] =>
  (view?.rows ?? []).map(({ ticker, cells }) => ({
    ...(ticker !== null && { ticker }),
    ...Object.fromEntries(
      Object.entries(cells).map(([id, { order, text }]) => [id, order ?? text]),
    ),
  }))
