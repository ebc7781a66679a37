import type { Panel } from '../../../backend/contract/panels/panels.ts'
import type { Command } from '../../shell/commands/command.ts'
import type { PanelAction } from '../../shell/commands/watch/watch-commands.ts'
import { blankDraft, draftOf, withCommand, type PanelDraft } from './panel-draft.ts'

/** An action that needs confirmation. */
export interface Confirmation {
  readonly act: Exclude<PanelAction, 'add' | 'edit' | 'rename' | 'remove'>
  readonly panel: Panel
  /** Target position, from 0. */
  readonly position: number
}

/** Result of a board command: a form, a removal, a confirmation, or a message. */
export type BoardRequest =
  | { readonly kind: 'form'; readonly panel: Panel | null; readonly draft: PanelDraft }
  | { readonly kind: 'remove'; readonly panel: Panel }
  | { readonly kind: 'confirmation'; readonly confirmation: Confirmation }
  | { readonly kind: 'refused'; readonly text: string }

/** Resolves a PANEL command against the panels of the board in their order. */
export function requestOf(
  command: Command,
  panels: readonly Panel[],
  floorSeconds: number,
): BoardRequest {
  const { args } = command
  const number = args['number'] === undefined ? null : Number(args['number'])
  const action = (args['action'] ?? (number === null ? 'add' : 'edit')) as PanelAction
  if (action === 'add') {
    const draft = withCommand(blankDraft(floorSeconds), command)
    return { kind: 'form', panel: null, draft }
  }
  const panel = number === null ? undefined : panels[number - 1]
  if (panel === undefined) {
    const text =
      panels.length === 0
        ? 'The board has no panels yet. Add one: PANEL add movers'
        : `Name a panel by its number, 1 to ${panels.length}: PANEL ${action} 1`
    return { kind: 'refused', text }
  }
  if (action === 'edit' || action === 'rename') {
    return { kind: 'form', panel, draft: withCommand(draftOf(panel), command) }
  }
  // Nothing to confirm: UNDO restores the panel.
  if (action === 'remove') return { kind: 'remove', panel }
  const position = args['place'] === undefined ? null : Number(args['place'])
  if (action === 'move' && (position === null || position > panels.length)) {
    return {
      kind: 'refused',
      text: `Name the new position, 1 to ${panels.length}: PANEL move ${number ?? 1} 1`,
    }
  }
  return {
    kind: 'confirmation',
    confirmation: { act: action, panel, position: (position ?? 1) - 1 },
  }
}

/** The confirmation: what will happen, and the label of its button. */
export function confirmationLabel(
  { act, panel, position }: Confirmation,
  cooldown: string,
): { readonly text: string; readonly label: string } {
  const name = `“${panel.title}”`
  switch (act) {
    case 'run':
      return {
        text: `Run ${name} now? You can run it again ${cooldown} later.`,
        label: 'Run now',
      }
    case 'pause':
      return {
        text: `Pause ${name}? It keeps its data and stops refreshing.`,
        label: 'Pause',
      }
    case 'resume':
      return { text: `Resume the schedule of ${name}?`, label: 'Resume' }
    case 'move':
      return { text: `Move ${name} to position ${position + 1}?`, label: 'Move' }
  }
}
