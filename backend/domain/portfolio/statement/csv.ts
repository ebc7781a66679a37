/**
 * The records of a CSV text (RFC 4180): fields may be quoted and then hold commas, line breaks and
 * doubled quotes. A byte order mark and empty lines are left out.
 * @returns each record with the number of its first line, from 1
 */
export function csvRecords(text: string): { line: number; fields: string[] }[] {
  const records: { line: number; fields: string[] }[] = []
  const field = /(?:"((?:[^"]|"")*)"[^\S\r\n]*|((?!")[^,\r\n]*))(,|\r\n|\r|\n|$)/y
  const source = text.replace(/^\uFEFF/, '')
  let [line, startLine, fields] = [1, 1, [] as string[]]
  for (let index = 0; index < source.length; index = field.lastIndex) {
    field.lastIndex = index
    const match = field.exec(source)
    if (match === null) throw new Error(`line ${line}: a quoted field is not closed`)
    const [cell, quotedText, unquoted = '', end = ''] = match
    fields.push(quotedText === undefined ? unquoted.trim() : quotedText.replaceAll('""', '"'))
    line += cell.split(/\r\n|\r|\n/).length - 1
    if (end === ',' && field.lastIndex < source.length) continue
    if (end === ',') fields.push('')
    if (fields.some((text) => text !== '')) records.push({ line: startLine, fields })
    startLine = line
    fields = []
  }
  return records
}
