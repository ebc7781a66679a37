const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
/** Escapes text for markup; titles and notes come from other people. */
export const escapeMarkup = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? '')

export const iso = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ')
export const usd = (value: number): string =>
  `${value < 0 ? '−' : ''}$${Math.abs(value).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
export const percent = (share: number | null, places = 1): string =>
  share === null ? '–' : `${(share * 100).toFixed(places)} %`
export const number = (value: number | null, places = 2): string =>
  value === null ? '–' : value.toFixed(places)

/** @param rows of cells that are already markup */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<table><thead><tr>${heads.map((head) => `<th>${head}</th>`).join('')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('')}</tbody></table>`
