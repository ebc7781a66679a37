/** The form of the public name of a thesis. */
export const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
export const SLUG_LENGTH = { min: 3, max: 60 } as const

/** A slug from a title; null when nothing of it can be in one. */
export function slugOf(title: string): string | null {
  const terms = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  let slug = ''
  for (const word of terms) {
    const longer = slug === '' ? word : `${slug}-${word}`
    if (longer.length > SLUG_LENGTH.max - 9) break
    slug = longer
  }
  return slug.length < SLUG_LENGTH.min ? null : slug
}
