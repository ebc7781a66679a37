import type { Body, RecordExample } from './recorder.ts'

/** Panels of a market watch. */
export async function recordPanels(
  record: RecordExample,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { panel } = await record('marketWatch.create', {
    request: {
      spec: { kind: 'preset', preset: { id: 'sf_index_24h' }, display: { visualization: 'gauge' } },
    },
    headers,
  })
  const panelId = String((panel as Body)['id'])
  const ofPanel = { parameters: { id: panelId }, headers }
  await record('marketWatch.change', { ...ofPanel, request: { title: 'Mood' } })
  await record('marketWatch.reorder', {
    request: { order: [{ id: panelId, sortIdx: 0 }] },
    headers,
  })
  await record('marketWatch.run', { ...ofPanel, request: {} })
  await record('marketWatch.remove', ofPanel)
}

/** Drawings and settings of the terminal. */
export async function recordTerminal(record: RecordExample, ticker: string): Promise<void> {
  await record('chart.replaceDrawings', {
    request: { ticker, drawings: [{ id: 'level-60', kind: 'level', price: 60 }] },
  })
  await record('chart.drawings')
  await record('terminal.replaceSettings', {
    request: { settings: { theme: 'light', density: 'compact', scale: 1.25 } },
  })
  await record('terminal.settings')
}
