import { chordOfText, chordText, reservedReason } from '../../lib/chord.ts'
import { chosenText, download } from '../../lib/files.ts'
import { isoOf } from '../../lib/format.ts'
import { commandText, type Command } from './command.ts'
import type { Density, ThemeName, Verb } from './commands.ts'
import { nearest } from '../../../backend/domain/text/nearest.ts'
import type { Aliases } from './aliases.svelte.ts'
import type { Dock } from '../dock/dock.ts'
import type { KeySettings } from '../window/key-settings.svelte.ts'
import type { Blocks } from '../bar/blocks.svelte.ts'
import { MAX_LAYOUTS, type NamedLayouts } from '../dock/named-layouts.svelte.ts'
import type { Pane } from '../dock/pane.svelte.ts'
import type { Pausing } from '../dock/pausing.svelte.ts'
import type { Settings } from '../window/settings.svelte.ts'
import type { Tour } from '../window/tour.svelte.ts'
import { thesisAction } from './theses/thesis-actions.ts'
import { alert } from './watch/alert-actions.ts'
import type { AlertSetter } from './watch/set-alert.ts'
import { unwatch, watch, type Watcher } from './watch/watchlist-actions.ts'
import { WORKSPACES, workspaceOf } from '../dock/workspaces.ts'

/** The parts of the terminal that its own verbs act on. */
export interface WindowHost extends Omit<Watcher, 'live'>, AlertSetter {
  readonly live: Watcher['live'] & AlertSetter['live']
  readonly settings: Settings
  readonly keySettings: KeySettings
  readonly aliases: Aliases
  readonly layouts: NamedLayouts
  readonly dock: Dock | null
  readonly pausing: Pausing
  readonly blocks: Blocks
  readonly tour: Tour
  readonly panes: ReadonlyMap<string, Pane>
  readonly focusedPane: string | null
  workspace: number
  askBoard(command: Command): void
  askThesis(command: Command): void
  halt(): void
}

const editsOf = ({ panes, focusedPane }: WindowHost) => panes.get(focusedPane ?? '')?.edits ?? null

type WindowAction = (terminal: WindowHost, command: Command) => boolean

/**
 * The actions of the window's verbs. An action that returns false does nothing itself: its pane
 * opens like that of any other verb.
 */
const ACTIONS: Readonly<Partial<Record<Verb, WindowAction>>> = {
  WS: (terminal, { args }) => {
    goTo(terminal, args['workspace'] ?? '1')
    return true
  },
  TH: ({ settings }, { args }) => {
    const other = settings.theme === 'light' ? 'dark' : 'light'
    settings.theme = (args['theme'] as ThemeName | undefined) ?? other
    settings.save()
    return true
  },
  DENS: ({ settings }, { args }) => {
    settings.density = (args['density'] as Density | undefined) ?? 'normal'
    settings.save()
    return true
  },
  // A change inside the focused pane is undone before a change of the layout.
  UNDO: (terminal) => {
    const isUndone = editsOf(terminal)?.undo() === true || terminal.dock?.undo() === true
    if (!isUndone) terminal.showNotice('Nothing to undo')
    return true
  },
  REDO: (terminal) => {
    const isRedone = editsOf(terminal)?.redo() === true || terminal.dock?.redo() === true
    if (!isRedone) terminal.showNotice('Nothing to redo')
    return true
  },
  CLOSE: ({ dock, focusedPane }, { args }) => {
    const { which } = args
    if (which === 'all') dock?.closeOthers(null)
    else if (focusedPane !== null && which === 'others') dock?.closeOthers(focusedPane)
    else if (focusedPane !== null) dock?.close(focusedPane)
    return true
  },
  RESET: ({ dock }) => {
    dock?.reset()
    return true
  },
  PANEL: (terminal, command) => {
    terminal.askBoard(command)
    return true
  },
  HALT: (terminal) => {
    terminal.halt()
    return true
  },
  TREE: thesisAction,
  WHATIF: thesisAction,
  SIG: thesisAction,
  EVAL: thesisAction,
  AUG: thesisAction,
  FORK: thesisAction,
  HB: thesisAction,
  PUB: thesisAction,
  UNPUB: thesisAction,
  PAUSE: (terminal, { args }) => {
    const { state } = args
    if (state === undefined) terminal.pausing.toggleAll()
    else terminal.pausing.all(state === 'on')
    return true
  },
  CLR: (terminal) => {
    const count = terminal.blocks.clear()
    terminal.showNotice(count === 1 ? 'One result cleared' : `${count} results cleared`)
    return true
  },
  HELP: ({ tour }, { args }) => {
    if (args['tour'] === undefined) return false
    tour.start()
    return true
  },
  WATCH: watch,
  UNWATCH: unwatch,
  ALERT: alert,
  SAVE: (terminal, command) => saveLayout(terminal, command),
  BIND: (terminal, command) => bindKey(terminal, command),
  ALIAS: (terminal, command) => defineAlias(terminal, command),
}

/** Runs the action of a window verb; false when the verb opens a pane. */
export const runWindowAction = (terminal: WindowHost, command: Command): boolean =>
  ACTIONS[command.verb]?.(terminal, command) ?? false

/** Opens a workspace by number or name, or applies the layout saved under a name. */
export function goTo(terminal: WindowHost, word: string): void {
  const workspace = workspaceOf(word.toLowerCase())
  if (workspace !== null) {
    terminal.workspace = workspace.number
    return
  }
  const layout = terminal.layouts.find(word)
  if (layout !== null) {
    const shown = terminal.dock?.show(layout.dock) === true
    if (shown)
      terminal.showNotice(`Layout “${layout.name}” applied. UNDO restores the previous one`)
    else terminal.showNotice(`“${layout.name}” cannot be shown. The panes are unchanged`, 'error')
    return
  }
  const names = [
    ...WORKSPACES.map(({ name }) => name),
    ...terminal.layouts.all.map(({ name }) => name),
  ]
  terminal.showNotice(
    `No workspace or saved layout is named “${word}”. Nearest: ${nearest(word, names).join(', ')}`,
    'error',
  )
}

const fileName = (name: string | null): string =>
  `augury-layout${name === null ? 's' : `-${name.replaceAll(/[^\p{L}\p{N}-]+/gu, '-')}`}.json`

function saveLayout(terminal: WindowHost, command: Command): boolean {
  const { layouts } = terminal
  const name = command.args['layout'] ?? null
  if (command.flags.includes('import')) {
    void importLayouts(terminal)
    return true
  }
  if (command.flags.includes('drop')) {
    const deletedLayout = name === null ? null : layouts.delete(name)
    if (deletedLayout === null) terminal.showNotice('Name a saved layout. SAVE lists them', 'error')
    else terminal.showNotice(`Layout “${deletedLayout.name}” deleted. The open panes stay`)
    return true
  }
  const toFile = command.sink?.kind === 'json'
  if (name !== null) {
    const dock = terminal.dock?.snapshot()
    if (dock === undefined) return true
    const result = layouts.save(name, dock, isoOf(terminal.live.clock.read()))
    if (result === 'limit-reached') {
      terminal.showNotice(
        `Not saved: there are ${MAX_LAYOUTS} layouts, which is the limit. SAVE lists them to delete one`,
        'error',
      )
      return true
    }
    const restore = { ...command, verb: 'WS', args: { workspace: name }, sink: null } as const
    terminal.showNotice(`Layout “${name}” ${result}. ${commandText(restore)} restores it`)
  }
  if (!toFile) return name !== null
  writeLayouts(terminal, name)
  return true
}

/** Exports one saved layout, or all of them, to a file. */
export function writeLayouts(terminal: WindowHost, name: string | null): void {
  const { layouts, live } = terminal
  if (layouts.all.length === 0) {
    terminal.showNotice('No saved layouts yet. SAVE morning saves this workspace', 'error')
    return
  }
  const text = layouts.file(name, isoOf(live.clock.read()))
  download(fileName(name), new Blob([text], { type: 'application/json' }))
  terminal.showNotice(
    `Wrote ${name === null ? 'all saved layouts' : `“${name}”`} to ${fileName(name)}`,
  )
}

/** Imports layouts from a chosen file, and returns the result as a message. */
export async function importLayouts(terminal: WindowHost): Promise<void> {
  try {
    const text = await chosenText('application/json,.json')
    if (text === null) return
    const { isImported, text: message } = terminal.layouts.importFile(text)
    terminal.showNotice(message, isImported ? 'info' : 'error')
  } catch (error) {
    terminal.showNotice(
      error instanceof Error ? error.message : 'The file could not be read',
      'error',
    )
  }
}

function bindKey(terminal: WindowHost, { args, flags }: Command): boolean {
  const { chord: typedChord, line } = args
  if (typedChord === undefined) return false
  const { keySettings } = terminal
  const chord = chordOfText(typedChord) ?? ''
  const custom = keySettings.customKeyOn(chord)
  const name = chordText(chord)
  if (line === undefined) {
    const [clash] = keySettings.clashes('global', null, chord)
    const now = custom?.line ?? clash?.label
    terminal.showNotice(now === undefined ? `${name} is not assigned` : `${name}: ${now}`)
    return true
  }
  if (line === '') {
    if (custom !== null) keySettings.remove(custom)
    terminal.showNotice(
      custom === null ? `${name} has no custom command` : `${name}: custom command removed`,
    )
    return true
  }
  const reason = reservedReason(chord)
  if (reason !== null) {
    terminal.showNotice(`${reason}. Choose another key`, 'error')
    return true
  }
  const clashes = keySettings
    .clashes('global', null, chord)
    .filter(({ label }) => label !== custom?.line)
  const lostLabels = clashes.filter(({ loses }) => loses).map(({ label }) => `“${label}”`)
  if (lostLabels.length > 0 && !flags.includes('take')) {
    const take = commandText({
      verb: 'BIND',
      subject: null,
      args: { chord: typedChord, line },
      filters: [],
      venue: null,
      flags: ['take'],
      sink: null,
    })
    terminal.showNotice(
      `${name} is assigned to ${lostLabels.join(' and ')}. To reassign it: ${take}`,
      'error',
    )
    return true
  }
  keySettings.bindLine(chord, line)
  const sharedLabels = clashes.filter(({ loses }) => !loses).map(({ label }) => `“${label}”`)
  const note =
    sharedLabels.length === 0 ? '' : `; inside a pane it remains ${sharedLabels.join(' and ')}`
  terminal.showNotice(`${name}: ${line}${note}`)
  return true
}

function defineAlias(terminal: WindowHost, { args }: Command): boolean {
  const { word, line } = args
  if (word === undefined) return false
  const { aliases } = terminal
  const name = word.toUpperCase()
  if (line === undefined) {
    const line = aliases.commands.get(name)
    terminal.showNotice(line === undefined ? `${name} is not an alias` : `${name} = ${line}`)
    return true
  }
  if (line === '') {
    const isRemoved = aliases.remove(name)
    terminal.showNotice(isRemoved ? `${name} is no longer an alias` : `${name} is not an alias`)
    return true
  }
  const refusal = aliases.refusal(name, line)
  if (refusal !== null) {
    terminal.showNotice(refusal, 'error')
    return true
  }
  aliases.define(name, line)
  terminal.showNotice(`${name} = ${line}`)
  return true
}
