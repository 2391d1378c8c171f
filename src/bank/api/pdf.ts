/**
 * Writes a table as a PDF: a title, some figures, and rows on as many pages as needed. The library is loaded for the
 * first document. The same content at the same instant produces the same bytes. Between the rows of a long table, other
 * requests are answered.
 */
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Instant } from '../kernel/time.ts';

interface Column {
  readonly name: string;
  /** In points; a letter page has 512 between its margins. */
  readonly width: number;
  readonly align?: 'left' | 'right';
}

export interface PdfTable {
  readonly title: string;
  readonly author: string;
  /** When it was created, on the bank's clock. */
  readonly at: Instant;
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly columns: readonly Column[];
  readonly rows: Iterable<readonly string[]> | AsyncIterable<readonly string[]>;
}

const MARGIN = 50;
const TITLE_SIZE = 16;
const TEXT_SIZE = 8;
const LINE = 13;
const FACT_NAME_WIDTH = 110;
const GAP = 6;
const ROWS_PER_TURN = 50;

/** The bytes of the document. */
export async function formatPdf(table: PdfTable): Promise<Buffer> {
  const { title, author, at, facts, columns, rows } = table;
  const { default: Pdf } = await import('pdfkit');
  const date = new Date(at);
  const pdf = new Pdf({
    size: 'LETTER',
    margin: MARGIN,
    info: { Title: plain(title), Author: plain(author), CreationDate: date, ModDate: date },
  });
  const bytes = buffer(pdf);

  const bottom = pdf.page.height - MARGIN - LINE;
  let page = 0;
  let y = MARGIN;

  /** Writes one cell; a text that is too long ends with dots. */
  const cell = (text: string, x: number, width: number, align: Column['align'] = 'left'): void => {
    pdf.text(plain(text), x, y, { width, height: pdf.currentLineHeight(), align, ellipsis: '...' });
  };

  const line = (cells: readonly string[]): void => {
    let x = MARGIN;
    for (const [place, { width, align }] of columns.entries()) {
      cell(cells[place] ?? '', x, width - GAP, align);
      x += width;
    }
    y += LINE;
  };

  const header = (): void => {
    page += 1;
    pdf.font('Helvetica').fontSize(TEXT_SIZE);
    const down = y;
    y = pdf.page.height - MARGIN;
    cell(`Page ${page}`, MARGIN, columns.reduce((sum, { width }) => sum + width, 0) - GAP, 'right');
    y = down;
    pdf.font('Helvetica-Bold');
    line(columns.map(({ name }) => name));
    pdf.font('Helvetica');
  };

  // The page number is below the margin, where the library would begin a new page.
  pdf.page.margins.bottom = 0;
  pdf.font('Helvetica-Bold').fontSize(TITLE_SIZE);
  cell(title, MARGIN, pdf.page.width - 2 * MARGIN);
  y += 2 * LINE;
  for (const [name, value] of facts) {
    pdf.font('Helvetica-Bold').fontSize(TEXT_SIZE);
    cell(name, MARGIN, FACT_NAME_WIDTH);
    pdf.font('Helvetica');
    cell(value, MARGIN + FACT_NAME_WIDTH, pdf.page.width - 2 * MARGIN - FACT_NAME_WIDTH);
    y += LINE;
  }
  y += LINE;
  header();
  let written = 0;
  for await (const row of rows) {
    if (y > bottom) {
      pdf.addPage();
      pdf.page.margins.bottom = 0;
      y = MARGIN;
      header();
    }
    line(row);
    written += 1;
    if (written % ROWS_PER_TURN === 0) await nextTurn();
  }
  pdf.end();
  return bytes;
}

/** What the built-in fonts of PDF lack: they have Windows-1252. */
const NOT_IN_FONT = /[^\x20-\x7e\xa0-\xffŒœŠšŸŽžƒˆ˜–—‘’‚“”„†‡•…‰‹›€™]/gu;
/** Letters with a stroke, which Unicode does not separate into a letter and a mark. */
const STROKES: Readonly<Record<string, string>> = { ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ħ: 'h', Ħ: 'H', ı: 'i' };

/** A letter that the font lacks loses its marks (`ś` becomes `s`); another character is a question mark. */
function plain(text: string): string {
  return text.normalize('NFC').replace(NOT_IN_FONT, (character) => {
    const letter = STROKES[character] ?? character.normalize('NFD').replace(/\p{M}/gu, '');
    return letter === '' ? '' : letter.replace(NOT_IN_FONT, '?');
  });
}
