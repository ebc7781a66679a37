import { earlyKeys } from './first-paint.ts'
import { mount } from 'svelte'
import type { Bridge } from '../electron/bridge.ts'
import './theme.css'
import './base.css'
import './shell/dock-structure.css'
import './shell/dock.css'
import { takeCliToken } from './api/cli-login.ts'
import { createClient } from './api/client.ts'
import { Live } from './api/live.ts'
import { openBrowserSocket } from './api/socket/browser-socket.ts'
import { Topics } from './api/socket/topics.svelte.ts'
import { enterByTicket } from './api/session.ts'
import App from './App.svelte'
import { PageClock } from './lib/clock.svelte.ts'
import { pacedFrames } from './lib/paced-frames.ts'
import { MarketFinder } from './shell/market-finder.ts'
import { begin } from './shell/pop-out.ts'
import { Terminal } from './shell/terminal.svelte.ts'

// Secrets leave the address before anything else happens.
const cliToken = takeCliToken({ location, history })
// Before anything is asked, so that the first answers are already those of a known reader.
const hasEntered = await enterByTicket({
  location,
  history,
  fetching: (input, init) => fetch(input, init),
})

/** Prices are drawn at most this often: with every third frame. */
const PRICES_MS = 45

const clock = new PageClock()
const onFrame = (work: () => void) => void requestAnimationFrame(work)
const live = new Live({
  client: createClient((input, init) => fetch(input, init)),
  topics: new Topics({
    clock,
    onFrame: pacedFrames(
      {
        ...{ onFrame, now: () => clock.monotonic() },
        later: (work, ms) => void setTimeout(work, ms),
      },
      PRICES_MS,
    ),
    open: (events) => openBrowserSocket(location.href, events),
    chance: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
    onTime: (serviceTime) => clock.synchronise(serviceTime),
  }),
  ...{ clock, onFrame },
  inView: () => document.visibilityState === 'visible',
})
const worker = new Worker(new URL('./shell/market-finder.worker.ts', import.meta.url), {
  type: 'module',
})

const target = document.getElementById('app')
if (target === null) throw new Error('The page has no place for the terminal')
target.replaceChildren()
// A pane in a window of its own, or the start that the desktop shell asks for when a kept layout
// may be what keeps crashing the page.
const begun = begin({ location, history, store: localStorage })
const terminal = new Terminal(live, begun.keep, begun.alone)
if (hasEntered) terminal.account.entered()
mount(App, {
  target,
  props: {
    terminal,
    cliToken,
    finder: new MarketFinder(worker),
  },
})
void earlyKeys.handOver()
const { augury: bridge } = window as { readonly augury?: Bridge }
if (bridge !== undefined) {
  void import('./shell/desktop.svelte.ts').then(({ joinDesktop }) => joinDesktop(terminal, bridge))
}
