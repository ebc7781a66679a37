import { expect, it } from 'vitest'
import { formatBytes, restoreLine, shellWord, suggestedFolder } from './shell-quoting.ts'

it.each([
  ['/home/me/data', '/home/me/data'],
  ['/home/me/my data', "'/home/me/my data'"],
  ["it's; rm -rf ~", "'it'\\''s; rm -rf ~'"],
  ['$(id)', "'$(id)'"],
])('quotes %s for a shell', (text, word) => expect(shellWord(text)).toBe(word))

it('names the data folder in the command of a restore', () => {
  expect(restoreLine('/backups/a b', '/data/augury')).toBe(
    "npx augury restore '/backups/a b' --data /data/augury --force",
  )
  expect(restoreLine('D:\\my backup', 'C:\\Users\\me\\augury')).toBe(
    'npx augury restore "D:\\my backup" --data C:\\Users\\me\\augury --force',
  )
})

it('suggests a folder beside the data folder', () => {
  const now = Date.parse('2026-11-20T10:00:00Z')
  expect(suggestedFolder('/data/augury', now)).toBe('/data/augury-backup-2026-11-20')
  expect(suggestedFolder('C:\\data\\augury', now)).toBe('C:\\data\\augury-backup-2026-11-20')
})

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_234, '1.2 kB'],
  [250_000_000, '250 MB'],
  [3_400_000_000, '3.4 GB'],
])('%d bytes are shown as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))
