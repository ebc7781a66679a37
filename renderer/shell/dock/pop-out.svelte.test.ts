import '../../testing/set-up-page.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pageUnderTest } from '../../testing/page-under-test.ts'
import { begin, singlePaneAddress, singlePaneOf, withoutLayouts } from './pop-out.ts'
import {
  familyOf,
  popOut,
  WindowFamily,
  type FamilyMember,
  type WindowFamilyDeps,
} from './window-family.svelte.ts'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())

type Channel = ReturnType<WindowFamilyDeps['channel']>

/** Like a browser's BroadcastChannel: every other channel of the same name receives a message. */
function browser() {
  const channels: { name: string; channel: Channel }[] = []
  const opened: string[] = []
  let count = 0
  const deps = (): WindowFamilyDeps => {
    const kept = new Map<string, string>()
    return {
      session: {
        getItem: (name) => kept.get(name) ?? null,
        setItem: (name, text) => void kept.set(name, text),
      },
      channel: (name) => {
        const channel: Channel = {
          onmessage: null,
          close: () => {},
          postMessage: (data: unknown) => {
            for (const other of channels) {
              if (other.name !== name || other.channel === channel) continue
              other.channel.onmessage?.call({} as never, { data } as MessageEvent)
            }
          },
        }
        channels.push({ name, channel })
        return channel
      },
      open: (address, name, features) => opened.push(`${address} ${name} ${features}`),
      newName: () => `name-${(count += 1)}`,
    }
  }
  return { deps, opened }
}

describe('a pane in its own window', () => {
  it('is described by its address, which survives a reload [terminal.desktop.pop-out]', () => {
    const alone = { line: '. GP 15m; "a&b"', link: 'C', family: 'f-1' } as const
    expect(singlePaneOf(singlePaneAddress(alone))).toEqual(alone)
    expect(singlePaneOf('#c=SCAN')).toBeNull()
    expect(singlePaneOf('#alone=f')).toBeNull()
    expect(singlePaneOf('#alone=a%20b&c=SCAN')).toBeNull()
    expect(singlePaneOf('#alone=f&c=SCAN&link=Z')?.link).toBe('A')
  })

  it('shares its link groups with its original window [terminal.desktop.pop-out]', () => {
    const { deps, opened } = browser()
    const home = pageUnderTest(() => ({})).terminal
    const pane = home.newPane(
      {
        verb: 'GP',
        subject: { kind: 'focus' },
        args: {},
        filters: [],
        venue: null,
        flags: [],
        sink: null,
      },
      'B',
    )
    const family = new WindowFamily(home, deps())
    expect(family.show(pane)).toBe(true)
    expect(opened[0]).toMatch(
      /^\/#alone=name-1&link=B&c=\S+ augury-pane-name-2 popup,width=\d+,height=\d+$/,
    )
    const away = pageUnderTest(() => ({}))
    const other = Object.assign(away.terminal, {
      singlePane: { line: '. GP', link: 'B', family: family.name },
    })
    new WindowFamily(other, deps())
    home.focusMarket('B', 'KXFED-26DEC')
    expect(other.links.B).toBe('KXFED-26DEC')
    other.focusMarket('B', 'KXOIL-26DEC')
    expect(home.links.B).toBe('KXOIL-26DEC')
    // A terminal in another tab has a group of its own.
    const stranger = pageUnderTest(() => ({})).terminal
    new WindowFamily(stranger, deps())
    stranger.focusMarket('B', 'KXBTC')
    expect(home.links.B).toBe('KXOIL-26DEC')
  })

  it('ignores messages that name no link group and market', () => {
    const { deps } = browser()
    const channels: Channel[] = []
    const recording = (): WindowFamilyDeps => {
      const own = deps()
      const channel = (name: string) => {
        channels.push(own.channel(name))
        return channels.at(-1) as Channel
      }
      return { ...own, channel }
    }
    const { terminal } = pageUnderTest(() => ({}))
    const received = vi.spyOn(terminal, 'receiveFocus')
    new WindowFamily(terminal, recording())
    const send = (data: unknown) =>
      channels[0]?.onmessage?.call({} as never, { data } as MessageEvent)
    for (const data of [null, 'A', {}, { letter: 'A' }, { letter: 'Z', ticker: 'KX' }]) send(data)
    expect(received).not.toHaveBeenCalled()
    send({ letter: 'C', ticker: 'KX' })
    expect(received.mock.calls).toEqual([['C', 'KX']])
  })

  it('keeps its group through reloads, and that of the address before it', () => {
    const { deps } = browser()
    const own = deps()
    const first = new WindowFamily(pageUnderTest(() => ({})).terminal, own)
    expect(new WindowFamily(pageUnderTest(() => ({})).terminal, own).name).toBe(first.name)
    const { terminal } = pageUnderTest(() => ({}))
    const singlePane = { line: 'MOV', link: 'A', family: 'f-9' } as const
    expect(new WindowFamily(Object.assign(terminal, { singlePane }), own).name).toBe('f-9')
    expect(own.session.getItem('augury.family')).toBe('f-9')
  })

  it('keeps the pane when the browser blocks the window; else moves it [terminal.desktop.pop-out]', async () => {
    const opened = vi.spyOn(window, 'open').mockReturnValue(null)
    const { paneOf } = pageUnderTest(() => ({}))
    const pane = paneOf('MOV')
    const closed: string[] = []
    const notices: unknown[][] = []
    const terminal: FamilyMember = {
      singlePane: { line: 'MOV', link: 'A', family: 'f-2' },
      panes: new Map([[pane.id, pane]]),
      dock: { close: (id) => void closed.push(id) },
      onfocus: null,
      receiveFocus: () => {},
      showNotice: (...notice) => void notices.push(notice),
    }
    popOut(terminal, pane)
    expect([closed, notices]).toEqual([
      [],
      [['The browser blocked the new window. Allow pop-ups for this address', 'error']],
    ])
    opened.mockReturnValue(window)
    popOut(terminal, pane)
    expect([closed, notices[1]]).toEqual([
      [pane.id],
      ['Movers opened in a new window. UNDO also restores it here'],
    ])
    expect(opened.mock.calls[1]?.[0]).toBe('/#alone=f-2&link=A&c=MOV')
    // One group a page: the address of a pane window follows its pane.
    expect(familyOf(terminal)).toBe(familyOf(terminal))
    await vi.advanceTimersByTimeAsync(16)
    expect([document.title, location.hash]).toEqual(['Movers · Augury', '#alone=f-2&link=A&c=MOV'])
    pane.link = 'D'
    await vi.advanceTimersByTimeAsync(16)
    expect(location.hash).toBe('#alone=f-2&link=D&c=MOV')
    vi.restoreAllMocks()
  })

  it.each([
    { hash: '', alone: null, reads: 'mine', left: ['augury.layout', 'augury.layout.good'] },
    { hash: '#layout=fresh', alone: null, reads: null, left: ['augury.layout.aside'] },
    {
      hash: '#alone=f&c=MOV',
      alone: 'MOV',
      reads: null,
      left: ['augury.layout', 'augury.layout.good'],
    },
  ])('the page of the address "$hash"', ({ hash, alone, reads, left }) => {
    const kept = new Map([
      ['augury.layout', 'mine'],
      ['augury.layout.good', 'mine'],
    ])
    const addresses: unknown[] = []
    const { singlePane, storage } = begin({
      location: { hash, pathname: '/terminal' },
      history: { replaceState: (_, __, address) => void addresses.push(address) },
      store: {
        getItem: (name) => kept.get(name) ?? null,
        setItem: (name, text) => void kept.set(name, text),
        removeItem: (name) => void kept.delete(name),
      },
    })
    expect([singlePane?.line ?? null, storage.getItem('augury.layout')]).toEqual([alone, reads])
    expect([...kept.keys()]).toEqual(left)
    expect(addresses).toEqual(hash === '#layout=fresh' ? ['/terminal'] : [])
  })

  it('does not access the layouts of the terminal [terminal.desktop.pop-out]', () => {
    const kept = new Map([['augury.layout', 'mine']])
    const storage = withoutLayouts({
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, text) => void kept.set(name, text),
    })
    expect(storage.getItem('augury.layout')).toBeNull()
    storage.setItem('augury.layout', 'its')
    storage.setItem('augury.layout.good', 'its')
    storage.setItem('augury.settings', 'shared')
    expect([...kept]).toEqual([
      ['augury.layout', 'mine'],
      ['augury.settings', 'shared'],
    ])
  })
})
