import { screen } from '@testing-library/svelte'
import { tick } from 'svelte'
import { vi } from 'vitest'
import { resize } from './set-up-page.ts'

/** Width of each column's content, px. */
const CONTENT = 100

/**
 * The columns of a table from left to right: `Qty, right` has figures, which are aligned to the right,
 * `Opened, hides 2` is hidden while `Qty, hides 1` still is shown, as the table becomes narrower. Call
 * it at the end of a test: the table is wide afterwards.
 */
export async function tableColumns(name?: string): Promise<string> {
  const grid = screen.getByRole('grid', { ...(name !== undefined && { name }) })
  const viewport = grid.parentElement
  if (viewport === null) throw new Error('a table has a viewport')
  const rect = vi.spyOn(Element.prototype, 'getBoundingClientRect')
  rect.mockReturnValue({ width: CONTENT } as DOMRect)
  const shownAt = async (width: number) => {
    resize(viewport, width, 4_000)
    await tick()
    await tick()
    const heads = [...grid.querySelectorAll('th')]
    return heads.map((head) => ({
      label: head.textContent.trim(),
      isRight: head.classList.contains('numeric'),
    }))
  }
  // Other columns are measured at once, changed values of the same ones later.
  await shownAt(1)
  const all = await shownAt(100 * CONTENT)
  const lost: string[][] = []
  let before = all.map(({ label }) => label)
  for (let width = all.length * 2 * CONTENT; width > 0; width -= 20) {
    const now = (await shownAt(width)).map(({ label }) => label)
    const gone = before.filter((label) => !now.includes(label))
    if (gone.length > 0) lost.push(gone)
    before = now
  }
  await shownAt(100 * CONTENT)
  rect.mockRestore()
  const described = all.map(({ label, isRight }) => {
    const place = lost.findIndex((gone) => gone.includes(label))
    const rank = place < 0 ? '' : `, hides ${lost.length - place}`
    return `${label}${isRight ? ', right' : ''}${rank}`
  })
  return described.join(' | ')
}
