import type { Panel } from '../../api/watch-types.ts'
import type { Command } from '../../shell/command.ts'
import type { PanelAction } from '../../shell/watch-commands.ts'
import { blankDraft, draftOf, withCommand, type PanelDraft } from './panel-draft.ts'

/** What is asked before it is done. */
export interface Question {
  readonly act: Exclude<PanelAction, 'add' | 'edit' | 'rename'>
  readonly panel: Panel
  /** Where it is moved to, from 0. */
  readonly place: number
}

/** What a command wants of a board: a form to confirm, a question to confirm, or a word back. */
export type BoardRequest =
  | { readonly kind: 'form'; readonly panel: Panel | null; readonly draft: PanelDraft }
  | { readonly kind: 'question'; readonly question: Question }
  | { readonly kind: 'refused'; readonly text: string }

/** Reads PANEL against the panels of the board in their order. */
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
        ? 'The board has no panels yet: PANEL add movers adds one'
        : `Name a panel by its number, 1 to ${panels.length}: PANEL ${action} 1`
    return { kind: 'refused', text }
  }
  if (action === 'edit' || action === 'rename') {
    return { kind: 'form', panel, draft: withCommand(draftOf(panel), command) }
  }
  const place = args['place'] === undefined ? null : Number(args['place'])
  if (action === 'move' && (place === null || place > panels.length)) {
    return {
      kind: 'refused',
      text: `Say where to, 1 to ${panels.length}: PANEL move ${number ?? 1} 1`,
    }
  }
  return { kind: 'question', question: { act: action, panel, place: (place ?? 1) - 1 } }
}

/** What will happen, as a sentence, and the word that does it. */
export function questionWords(
  { act, panel, place }: Question,
  cooldown: string,
): { readonly text: string; readonly label: string } {
  const name = `«${panel.title}»`
  switch (act) {
    case 'remove':
      return {
        text: `Remove ${name}? It stops refreshing and leaves the board. UNDO brings it back.`,
        label: 'Remove the panel',
      }
    case 'run':
      return {
        text: `Run ${name} now? By hand it can be run again ${cooldown} later.`,
        label: 'Run it now',
      }
    case 'pause':
      return {
        text: `Pause ${name}? Its schedule rests, and what it shows stays.`,
        label: 'Pause it',
      }
    case 'resume':
      return { text: `Let ${name} refresh by its schedule again?`, label: 'Resume it' }
    case 'move':
      return { text: `Move ${name} to place ${place + 1}?`, label: 'Move it' }
  }
}
