import type { SerializedDockview } from 'dockview-core'
import { commandText } from '../commands/command.ts'
import { specOf } from '../commands/commands.ts'
import { parseLine } from '../commands/parse.ts'

/** Version of stored layouts and files; a later one is rejected. */
export const LAYOUT_VERSION = 1
const KIND = 'augury-layouts'
const MAX_PANES = 60

/** A workspace's dock under a name. */
export interface SavedLayout {
  readonly name: string
  /** Instant in UTC. */
  readonly savedAt: string
  readonly dock: SerializedDockview
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Panes named by a grid's leaves; null when a node is neither leaf nor branch. */
function viewsOf(node: unknown, depth = 0): readonly string[] | null {
  if (!isRecord(node) || depth > 30) return null
  const { type, data } = node
  if (type === 'leaf') {
    const views = isRecord(data) ? data['views'] : null
    const isNamed = Array.isArray(views) && views.every((view) => typeof view === 'string')
    return isNamed ? views : null
  }
  if (type !== 'branch' || !Array.isArray(data)) return null
  const parts = data.map((child) => viewsOf(child, depth + 1))
  return parts.every((part) => part !== null) ? parts.flat() : null
}

/** The error of a layout, as a sentence; null when it can be shown. */
export function layoutProblem(dock: unknown): string | null {
  if (!isRecord(dock) || !isRecord(dock['grid']) || !isRecord(dock['panels'])) {
    return 'It contains no layout'
  }
  const floatingGroups = Array.isArray(dock['floatingGroups'])
    ? (dock['floatingGroups'] as unknown[])
    : []
  const groups = floatingGroups.map((group) => (isRecord(group) ? group['data'] : null))
  const places = [
    viewsOf(dock['grid']['root']),
    ...groups.map((data) => viewsOf({ type: 'leaf', data })),
  ]
  if (places.some((views) => views === null)) return 'Its grid is damaged'
  const { panels } = dock
  const views = places.flatMap((part) => part ?? [])
  if (views.length > MAX_PANES) return `It has more than ${MAX_PANES} panes`
  for (const view of views) {
    const panel = panels[view]
    if (!isRecord(panel)) return 'It refers to a missing pane'
    const line = isRecord(panel['params']) ? panel['params']['line'] : undefined
    if (typeof line !== 'string') return 'One of its panes has no command'
    const commands = parseLine(line)
    if ('message' in commands) return `This version cannot read its pane “${line.slice(0, 60)}”`
  }
  return null
}

/** The commands of a layout's panes, in stored order. */
export const linesOf = ({ dock }: SavedLayout): readonly string[] =>
  Object.values(dock.panels).flatMap(({ params }) => {
    const commands = parseLine(String(params?.['line'] ?? ''))
    const [command] = 'message' in commands ? [] : commands
    return command === undefined ? [] : [commandText(command)]
  })

/** The titles of a layout's panes. */
export const titlesOf = (layout: SavedLayout): readonly string[] =>
  linesOf(layout).flatMap((line) => {
    const commands = parseLine(line)
    const [command] = 'message' in commands ? [] : commands
    return command === undefined ? [] : [specOf(command.verb).title]
  })

/** Layouts as a file. */
export const layoutFile = (layouts: readonly SavedLayout[], exportedAt: string): string =>
  JSON.stringify({ kind: KIND, version: LAYOUT_VERSION, exportedAt, layouts }, null, 2)

/** Parses a named layout; an error is a sentence. */
export function savedLayoutOf(value: unknown): SavedLayout | string {
  if (!isRecord(value)) return 'A layout in the file has no name'
  const { name, savedAt, dock } = value
  if (typeof name !== 'string' || name.trim() === '' || name.length > 40) {
    return 'A layout in the file has no name'
  }
  const problem = layoutProblem(dock)
  if (problem !== null) return `“${name}” cannot be shown. ${problem}`
  return {
    name,
    savedAt: typeof savedAt === 'string' ? savedAt : '',
    dock: dock as SerializedDockview,
  }
}

/** Names that differ only in case or in blanks around them are one name. */
export const keyOf = (name: string): string => name.trim().toLowerCase()

/** Of layouts with equal names the last one counts. */
export const lastOfEachName = (layouts: readonly SavedLayout[]): readonly SavedLayout[] => [
  ...new Map(layouts.map((layout) => [keyOf(layout.name), layout])).values(),
]

/** Parses the layouts of a file, all or none; an error is a sentence. */
export function readLayoutFile(text: string): readonly SavedLayout[] | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'The file is not valid JSON: it is damaged or not a layout file'
  }
  if (!isRecord(value) || value['kind'] !== KIND) return 'The file contains no Augury layouts'
  const { version, layouts } = value
  if (typeof version !== 'number') return 'The file has no version'
  if (version > LAYOUT_VERSION) {
    return `The file has version ${version}; this version reads up to ${LAYOUT_VERSION}. Update Augury first`
  }
  if (!Array.isArray(layouts) || layouts.length === 0) return 'The file contains no layout'
  const read = layouts.map(savedLayoutOf)
  const problem = read.find((layout) => typeof layout === 'string')
  return problem ?? read.filter((layout) => typeof layout !== 'string')
}
