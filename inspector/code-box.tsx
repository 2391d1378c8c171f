/** A request as code in several languages, one of them shown, with a button that copies it. */
import { signal } from '@preact/signals';
import { CODES, type Sent } from './codes.ts';
import { ChoiceField } from './fields.tsx';
import { Box, Copy } from './parts.tsx';

const language = signal('curl');

export function Codes({ sent }: { sent: Sent }) {
  const text = CODES[language.value]?.(sent) ?? '';
  return (
    <Box
      title="As code"
      aside={
        <span class="filters">
          <ChoiceField
            label="Language"
            isLabelHidden
            value={language.value}
            all={Object.keys(CODES)}
            set={(value) => {
              language.value = value;
            }}
          />
        </span>
      }
    >
      <div class="line">
        <pre class="text">{text}</pre>
        <Copy text={text} label="Copy this code" />
      </div>
    </Box>
  );
}
