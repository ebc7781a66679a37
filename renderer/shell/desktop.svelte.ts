import type { Bridge, MenuGroup, MenuRow, Order } from '../../electron/bridge.ts'
import { enterByTicket } from '../api/session.ts'
import { AREAS, COMMANDS, type CommandSpec } from './commands.ts'
import { dataStateOf } from './data-state.ts'
import { parseLine } from './parse.ts'
import type { Terminal } from './terminal.svelte.ts'

/** A restarted service may have forgotten the session; after this time a sign-out is the reader's. */
const REENTER_MS = 60_000

/** A command as a row of a menu: run at once where its word alone says enough, else put into the bar. */
const rowOf = ({ verb, title, args }: CommandSpec): MenuRow => {
  const takesWords = args.some(({ kind }) => kind === 'question' || kind === 'line')
  const isWhole = !takesWords && !('message' in parseLine(verb))
  return {
    label: isWhole ? title : `${title}…`,
    order: isWhole ? { kind: 'run', line: verb } : { kind: 'ask', line: `${verb} ` },
  }
}

/** The native menus: one an area of the table of commands. */
export const menuGroups = (): readonly MenuGroup[] =>
  AREAS.map((area) => ({
    label: area,
    rows: COMMANDS.filter((spec) => spec.area === area).map(rowOf),
  })).filter(({ rows }) => rows.length > 0)

/** Does what the shell asks for, and says what stood against it. */
export function obey(terminal: Terminal, { kind, line }: Order): void {
  if (kind === 'ask') {
    terminal.ask(line)
    return
  }
  const refusal = kind === 'link' ? terminal.runLink(line) : (terminal.run(line)?.message ?? null)
  if (refusal !== null) terminal.say(refusal, 'error')
}

/** Joins the page to the desktop shell. Returns how to leave it. */
export function joinDesktop(
  terminal: Terminal,
  bridge: Bridge,
  fetching: typeof fetch = (input, init) => fetch(input, init),
): () => void {
  const { clock } = terminal.live
  let restartedAt = $state<number | null>(null)
  let wasDown = false
  let wasKnown = false
  const stops = [
    bridge.onServiceNews(({ state, afterMs }) => {
      if (!wasDown) wasKnown = terminal.account.standing === 'known'
      if (state === 'restarting') {
        const seconds = Math.ceil((afterMs ?? 0) / 1_000)
        terminal.say(`The service ended; it starts again in ${seconds} s. Panes stay`, 'error')
      }
      if (state === 'running' && wasDown) {
        terminal.say('The service is back')
        restartedAt = wasKnown ? clock.read() : null
      }
      wasDown = state !== 'running'
    }),
  ]
  // A pane in a window of its own leaves menus, tray and links to the terminal.
  if (terminal.alone === null) {
    bridge.offerMenus(menuGroups())
    stops.push(bridge.onOrder((order) => obey(terminal, order)))
  }
  const enter = async (): Promise<void> => {
    const ticket = await bridge.ticket()
    if (ticket === null) return
    const location = { hash: `#ticket=${ticket}`, pathname: '/', search: '' }
    const has = await enterByTicket({
      ...{ location, fetching },
      history: { replaceState: () => {} },
    })
    if (has) terminal.account.entered()
  }
  stops.push(
    $effect.root(() => {
      $effect(() => {
        if (terminal.alone === null) bridge.tellState(dataStateOf(terminal))
      })
      $effect(() => {
        if (terminal.account.standing !== 'anonymous' || restartedAt === null) return
        const since = clock.read() - restartedAt
        restartedAt = null
        if (since < REENTER_MS) void enter()
      })
    }),
  )
  return () => stops.forEach((stop) => stop())
}
