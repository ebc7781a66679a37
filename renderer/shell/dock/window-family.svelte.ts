import { LINK_LETTERS, type LinkLetter } from '../commands/command.ts'
import type { Dock } from './dock.ts'
import type { Pane } from './pane.svelte.ts'
import { singlePaneAddress, type SinglePane } from './pop-out.ts'

const NAME = 'augury.family'
const SIZE = { width: 760, height: 560 } as const

/** Messages between the windows of a group. */
export interface FamilyMember {
  /** Set in a window that shows a single pane. */
  readonly singlePane: SinglePane | null
  readonly panes: ReadonlyMap<string, Pane>
  readonly dock: Pick<Dock, 'close'> | null
  /** Called when the user changes the market of a link group. */
  onfocus: ((letter: LinkLetter, ticker: string) => void) | null
  receiveFocus(letter: LinkLetter, ticker: string): void
  showNotice(text: string, tone?: 'error'): void
}

/** The browser APIs that pane windows need. */
export interface WindowFamilyDeps {
  /** Session storage: lives as long as the tab, through reloads. */
  readonly session: Pick<Storage, 'getItem' | 'setItem'>
  readonly channel: (name: string) => Pick<BroadcastChannel, 'postMessage' | 'onmessage' | 'close'>
  readonly open: (address: string, name: string, features: string) => unknown
  readonly newName: () => string
}

interface FocusMessage {
  readonly letter: LinkLetter
  readonly ticker: string
}

const readFocusMessage = (value: unknown): FocusMessage | null => {
  const { letter, ticker } = (value ?? {}) as Record<string, unknown>
  const linkLetter = LINK_LETTERS.find((other) => other === letter)
  return linkLetter !== undefined && typeof ticker === 'string'
    ? { letter: linkLetter, ticker }
    : null
}

/** The windows that share link groups: the terminal and its pane windows. */
export class WindowFamily {
  readonly name: string
  readonly #deps: WindowFamilyDeps
  readonly #channel: ReturnType<WindowFamilyDeps['channel']>

  constructor(terminal: FamilyMember, deps: WindowFamilyDeps) {
    this.#deps = deps
    this.name = terminal.singlePane?.family ?? deps.session.getItem(NAME) ?? deps.newName()
    deps.session.setItem(NAME, this.name)
    this.#channel = deps.channel(`augury.windows.${this.name}`)
    this.#channel.onmessage = ({ data }: { readonly data: unknown }) => {
      const focusMessage = readFocusMessage(data)
      if (focusMessage !== null) terminal.receiveFocus(focusMessage.letter, focusMessage.ticker)
    }
    terminal.onfocus = (letter, ticker) =>
      this.#channel.postMessage({ letter, ticker } satisfies FocusMessage)
  }

  /** Opens a pane in a window of its own; false when the browser blocks it. */
  show(pane: Pane): boolean {
    const { name: family } = this
    const address = singlePaneAddress({ line: pane.line, link: pane.link, family })
    const features = `popup,width=${SIZE.width},height=${SIZE.height}`
    const name = `augury-pane-${this.#deps.newName()}`
    return Boolean(this.#deps.open(`/${address}`, name, features))
  }
}

let family: WindowFamily | null = null

/** The group of this page, created on first use. */
export function familyOf(terminal: FamilyMember): WindowFamily {
  if (family !== null) return family
  family = new WindowFamily(terminal, {
    session: sessionStorage,
    channel: (name) => new BroadcastChannel(name),
    open: (address, name, features) => window.open(address, name, features),
    newName: () => crypto.randomUUID(),
  })
  if (terminal.singlePane !== null) followPane(terminal, terminal.singlePane)
  return family
}

/** The address of a pane window is updated with its content, so that a reload restores it. */
function followPane(terminal: FamilyMember, singlePane: SinglePane): void {
  $effect.root(() => {
    $effect(() => {
      const [pane] = terminal.panes.values()
      if (pane === undefined) return
      document.title = `${pane.title} · Augury`
      const { line, link } = pane
      history.replaceState(null, '', singlePaneAddress({ ...singlePane, line, link }))
    })
  })
}

/** Moves a pane into a window of its own, and returns the result as a message. */
export function popOut(terminal: FamilyMember, pane: Pane): void {
  if (!familyOf(terminal).show(pane)) {
    terminal.showNotice(
      'The browser blocked the new window. Allow pop-ups for this address',
      'error',
    )
    return
  }
  terminal.dock?.close(pane.id)
  terminal.showNotice(`${pane.title} opened in a new window. UNDO also restores it here`)
}
