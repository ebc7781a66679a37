import type { Bridge, MenuGroup, MenuRow, ShellCommand } from '../../../electron/bridge.ts'
import { signInByTicket } from '../../api/session.ts'
import { AREAS, COMMANDS, type CommandSpec } from '../commands/commands.ts'
import { dataStateOf } from './data-state.ts'
import { parseLine } from '../commands/parse.ts'
import type { Terminal } from '../terminal.svelte.ts'

/**
 * A restarted service may have lost the session; after this time a sign-out counts as the user's.
 */
const REENTER_MS = 60_000

/** A command as a menu item: run at once when its verb is sufficient, else put into the bar. */
const rowOf = ({ verb, title, args }: CommandSpec): MenuRow => {
  const takesWords = args.some(({ kind }) => kind === 'question' || kind === 'line')
  const isWhole = !takesWords && !('message' in parseLine(verb))
  return {
    label: isWhole ? title : `${title}…`,
    command: isWhole ? { kind: 'run', line: verb } : { kind: 'prefill', line: `${verb} ` },
  }
}

/** The native menus: one per area of the table of commands. */
export const menuGroups = (): readonly MenuGroup[] =>
  AREAS.map((area) => ({
    label: area,
    rows: COMMANDS.filter((spec) => spec.area === area).map(rowOf),
  })).filter(({ rows }) => rows.length > 0)

/** Runs a request of the desktop shell, and returns why it was rejected. */
export function runCommand(terminal: Terminal, { kind, line }: ShellCommand): void {
  if (kind === 'prefill') {
    terminal.prefill(line)
    return
  }
  const refusal = kind === 'link' ? terminal.runLink(line) : (terminal.run(line)?.message ?? null)
  if (refusal !== null) terminal.showNotice(refusal, 'error')
}

/** Connects the page to the desktop shell. Returns a function that disconnects it. */
export function joinDesktop(
  terminal: Terminal,
  bridge: Bridge,
  fetchFn: typeof fetch = (input, init) => fetch(input, init),
): () => void {
  const { clock } = terminal.live
  let restartedAt = $state<number | null>(null)
  let wasDown = false
  let wasKnown = false
  const stops = [
    bridge.onServiceUpdate(({ state, afterMs }) => {
      if (!wasDown) wasKnown = terminal.account.signInState === 'known'
      if (state === 'restarting') {
        const seconds = Math.ceil((afterMs ?? 0) / 1_000)
        terminal.showNotice(
          `The service stopped and restarts in ${seconds} s. Panes stay open`,
          'error',
        )
      }
      if (state === 'running' && wasDown) {
        terminal.showNotice('The service is running again')
        restartedAt = wasKnown ? clock.read() : null
      }
      wasDown = state !== 'running'
    }),
  ]
  // A pane window leaves menus, tray and links to the terminal.
  if (terminal.singlePane === null) {
    bridge.offerMenus(menuGroups())
    stops.push(bridge.onCommand((command) => runCommand(terminal, command)))
  }
  const enter = async (): Promise<void> => {
    const ticket = await bridge.ticket()
    if (ticket === null) return
    const location = { hash: `#ticket=${ticket}`, pathname: '/', search: '' }
    const hasSession = await signInByTicket({
      location,
      fetchFn,
      history: { replaceState: () => {} },
    })
    if (hasSession) terminal.account.onSignIn()
  }
  stops.push(
    $effect.root(() => {
      $effect(() => {
        if (terminal.singlePane === null) bridge.reportState(dataStateOf(terminal))
      })
      $effect(() => {
        if (terminal.account.signInState !== 'anonymous' || restartedAt === null) return
        const elapsedMs = clock.read() - restartedAt
        restartedAt = null
        if (elapsedMs < REENTER_MS) void enter()
      })
    }),
  )
  return () => stops.forEach((stop) => stop())
}
