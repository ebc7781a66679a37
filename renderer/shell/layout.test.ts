import { describe, expect, it } from 'vitest'
import { readLayouts, storeLayouts, resetLayouts, storedWorkspaces } from './dock/layout-store.ts'

const keepOf = (items: Record<string, string> = {}) => ({
  items,
  getItem: (name: string) => items[name] ?? null,
  setItem: (name: string, text: string) => void (items[name] = text),
})

describe('stored layouts', () => {
  const dock = { grid: {}, panels: {} } as never

  it('are restored unchanged', () => {
    const keep = keepOf()
    storeLayouts(keep, { active: 2, workspaces: { '2': dock } })
    expect(readLayouts(keep)).toEqual({ active: 2, workspaces: { '2': dock }, problem: null })
  })

  it.each([
    ['nothing', undefined, null],
    ['not valid JSON', '{', 'unreadable'],
    ['another version', '{"version":0,"active":2}', 'unreadable'],
    ['a later version', '{"version":2,"active":2}', 'newer'],
    ['a list', '[]', 'unreadable'],
  ])('are reset for %s [terminal.window.layout-kept]', (_, text, problem) => {
    const keep = keepOf(text === undefined ? {} : { 'augury.layout': text })
    expect(readLayouts(keep)).toEqual({ active: 1, workspaces: {}, problem })
    expect(keep.items['augury.layout.aside']).toBe(problem === null ? undefined : text)
  })

  it('fall back to the last good ones [terminal.window.layout-kept]', () => {
    const keep = keepOf()
    storeLayouts(keep, { active: 2, workspaces: { '2': dock } })
    readLayouts(keep)
    keep.setItem('augury.layout', '{"version":7}')
    expect(readLayouts(keep)).toEqual({
      active: 2,
      workspaces: { '2': dock },
      problem: 'newer',
    })
    expect(keep.items['augury.layout.aside']).toBe('{"version":7}')
  })

  it('leave out invalid docks', () => {
    const damaged = { '1': 3, '2': dock, '3': null, '4': { grid: {} }, '5': { panels: {} } }
    const text = JSON.stringify({ version: 1, active: '4', workspaces: damaged })
    const recalled = readLayouts(keepOf({ 'augury.layout': text }))
    expect(recalled).toEqual({ active: 1, workspaces: { '2': dock }, problem: null })
    const none = JSON.stringify({ version: 1, active: 3, workspaces: 7 })
    expect(readLayouts(keepOf({ 'augury.layout': none }))).toMatchObject({
      active: 3,
      workspaces: {},
    })
  })

  it('of another window are read without changing what is stored', () => {
    const keep = keepOf()
    expect(storedWorkspaces(keep)).toEqual({})
    storeLayouts(keep, { active: 2, workspaces: { '2': dock } })
    expect(storedWorkspaces(keep)).toEqual({ '2': dock })
    keep.setItem('augury.layout', '{')
    expect(storedWorkspaces(keep)).toEqual({})
    expect(Object.keys(keep.items)).toEqual(['augury.layout'])
  })

  it('are set aside for the default ones', () => {
    const keep = keepOf({ 'augury.layout': 'mine', 'augury.layout.good': 'good', other: 'x' })
    resetLayouts({ ...keep, removeItem: (name) => void Reflect.deleteProperty(keep.items, name) })
    expect(keep.items).toEqual({ 'augury.layout.aside': 'mine', other: 'x' })
  })

  it('are lost without an error when the store is full', () => {
    const full = {
      getItem: () => null,
      setItem: () => {
        throw new Error('QuotaExceededError')
      },
    }
    expect(() => storeLayouts(full, { active: 1, workspaces: {} })).not.toThrow()
  })
})
