/** Window size of the measurements: the smallest that shows 300 rows of seven columns. */
export const WINDOW = { width: 1_920, height: 1_200 } as const
const DOCK = { width: WINDOW.width - 60, height: WINDOW.height - 70 } as const

const LISTS = [
  ['SCAN'],
  ['NEW 30d'],
  ['SCAN @kalshi'],
  ['SCAN @polymarket'],
  ['MOV', 'NEW 7d'],
  ['MOV @kalshi', 'MOV @polymarket'],
  ['. GP 1h', '. GP 15m', '. GP 5m', '. GP 1d'],
] as const

/** Minimum row height of the settings. */
export const SETTINGS = JSON.stringify({
  version: 1,
  theme: 'dark',
  density: 'compact',
  scale: 0.8,
  notifies: false,
})

/** Twelve panes: eight lists and four charts, as a stored workspace. */
export function twelvePanes(): string {
  const panels: Record<string, object> = {}
  let count = 0
  const leaf = (line: string, size: number) => {
    count += 1
    const id = `pane-${count}`
    panels[id] = {
      id,
      contentComponent: 'pane',
      tabComponent: 'pane',
      title: line,
      params: { line, link: 'A' },
    }
    return { type: 'leaf', data: { views: [id], activeView: id, id: String(count) }, size }
  }
  const width = DOCK.width / LISTS.length
  const data = LISTS.map((lines) =>
    lines.length === 1
      ? leaf(lines[0], width)
      : {
          type: 'branch',
          size: width,
          data: lines.map((line) => leaf(line, DOCK.height / lines.length)),
        },
  )
  const root = { type: 'branch', data, size: DOCK.height }
  const grid = { root, ...DOCK, orientation: 'HORIZONTAL' }
  return JSON.stringify({
    version: 1,
    active: 1,
    workspaces: { 1: { grid, panels, activeGroup: '1' } },
  })
}
