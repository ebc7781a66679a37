/** The window of the measurements: the smallest in which 300 rows of seven columns of panes show. */
export const WINDOW = { width: 1_920, height: 1_200 } as const
const DOCK = { width: WINDOW.width - 60, height: WINDOW.height - 70 } as const

const LISTS = [
  ['SCAN'],
  ['NEW 30d'],
  ['SCAN @venue_a'],
  ['SCAN @venue_b'],
  ['MOV', 'NEW 7d'],
  ['MOV @venue_a', 'MOV @venue_b'],
  ['. GP 1h', '. GP 15m', '. GP 5m', '. GP 1d'],
] as const

/** Rows as low as the settings allow. */
export const SETTINGS = JSON.stringify({
  ...{ version: 1, theme: 'dark', density: 'compact', scale: 0.8, notifies: false },
})

/** Twelve panes: eight lists and four charts, as the page keeps a workspace. */
export function twelvePanes(): string {
  const panels: Record<string, object> = {}
  let count = 0
  const leaf = (line: string, size: number) => {
    count += 1
    const id = `pane-${count}`
    panels[id] = {
      ...{ id, contentComponent: 'pane', tabComponent: 'pane', title: line },
      params: { line, link: 'A' },
    }
    return { type: 'leaf', data: { views: [id], activeView: id, id: String(count) }, size }
  }
  const width = DOCK.width / LISTS.length
  const data = LISTS.map((lines) =>
    lines.length === 1
      ? leaf(lines[0], width)
      : {
          ...{ type: 'branch', size: width },
          data: lines.map((line) => leaf(line, DOCK.height / lines.length)),
        },
  )
  const root = { type: 'branch', data, size: DOCK.height }
  const grid = { root, ...DOCK, orientation: 'HORIZONTAL' }
  return JSON.stringify({
    ...{ version: 1, active: 1 },
    workspaces: { 1: { grid, panels, activeGroup: '1' } },
  })
}
