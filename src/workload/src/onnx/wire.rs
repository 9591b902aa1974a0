//! Decoder of protocol buffers. The decoder reads in place and copies nothing, so weights cost no memory.

/// Error: the bytes are not a valid protocol buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Malformed;

/// Value of a field.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    /// Fixed-size value of 4 or 8 bytes, such as a floating-point number.
    Fixed(&'a [u8]),
}

/// Encoding of a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Number,
    Bytes,
    Fixed,
}

/// Header of a field: its number, encoding and length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) number: u64,
    pub(super) kind: Kind,
    /// Number of bytes before the value. `length` is the number of bytes of the value.
    pub(super) bytes: u64,
    pub(super) length: u64,
}

impl Head {
    /// Reads the header of the field at the start of these bytes. `None` if the bytes end too early.
    pub(super) fn read(bytes: &[u8]) -> Result<Option<Self>, Malformed> {
        let mut fields = Fields::new(bytes);
        let mut varint = || match fields.varint() {
            // The longest number has ten bytes.
            Err(Malformed) if fields.rest.is_empty() => Ok(None),
            Err(Malformed) => Err(Malformed),
            Ok(value) => Ok(Some((value, bytes.len() - fields.rest.len()))),
        };
        let Some((key, before)) = varint()? else { return Ok(None) };
        let (kind, before, length) = match key & 7 {
            0 => {
                let Some((_, end)) = varint()? else { return Ok(None) };
                (Kind::Number, before, u64::try_from(end - before).map_err(|_| Malformed)?)
            }
            1 => (Kind::Fixed, before, 8),
            2 => {
                let Some((length, before)) = varint()? else { return Ok(None) };
                (Kind::Bytes, before, length)
            }
            5 => (Kind::Fixed, before, 4),
            _ => return Err(Malformed),
        };
        Ok(Some(Self { number: key >> 3, kind, bytes: u64::try_from(before).map_err(|_| Malformed)?, length }))
    }
}

/// Iterator over the fields of a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Returns the number of bytes left.
    pub(super) fn left(&self) -> usize {
        self.rest.len()
    }

    /// Reads the number and the value of the next field.
    fn field(&mut self) -> Result<(u64, Value<'a>), Malformed> {
        let key = self.varint()?;
        let value = match key & 7 {
            0 => Value::Number(self.varint()?),
            1 => self.take(8).map(Value::Fixed)?,
            2 => {
                let length = usize::try_from(self.varint()?).map_err(|_| Malformed)?;
                Value::Bytes(self.take(length)?)
            }
            5 => self.take(4).map(Value::Fixed)?,
            _ => return Err(Malformed),
        };
        Ok((key >> 3, value))
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(Malformed)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Reads a varint: 7 bits in each byte, lowest bits first.
    fn varint(&mut self) -> Result<u64, Malformed> {
        let mut value = 0;
        for shift in (0..70).step_by(7) {
            let (byte, rest) = self.rest.split_first().ok_or(Malformed)?;
            self.rest = rest;
            value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Malformed)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u64, Value<'a>), Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_err() {
            self.rest = &[];
        }
        Some(field)
    }
}

impl<'a> Value<'a> {
    pub(super) fn bytes(self) -> Result<&'a [u8], Malformed> {
        if let Self::Bytes(bytes) = self { Ok(bytes) } else { Err(Malformed) }
    }

    pub(super) fn text(self) -> Result<&'a str, Malformed> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Malformed)
    }

    /// Returns the value as a whole number. Negative numbers are encoded as 64-bit two's complement.
    pub(super) fn number(self) -> Result<i64, Malformed> {
        if let Self::Number(value) = self { Ok(value.cast_signed()) } else { Err(Malformed) }
    }

    /// Adds the whole numbers of a repeated field, packed or not, until the list has `most` numbers.
    pub(super) fn numbers(self, list: &mut Vec<i64>, most: usize) -> Result<(), Malformed> {
        match self {
            Self::Number(value) if list.len() < most => list.push(value.cast_signed()),
            Self::Bytes(bytes) => {
                let mut packed = Fields::new(bytes);
                while !packed.rest.is_empty() && list.len() < most {
                    list.push(packed.varint()?.cast_signed());
                }
            }
            Self::Number(_) | Self::Fixed(_) => {}
        }
        Ok(())
    }

    /// Adds the floating-point numbers of a repeated field, packed or not, until the list has `most` numbers.
    pub(super) fn floats(self, list: &mut Vec<f64>, most: usize) {
        if let Self::Bytes(bytes) | Self::Fixed(bytes) = self {
            let left = most.saturating_sub(list.len());
            let each = bytes.chunks_exact(4).take(left).filter_map(|chunk| chunk.first_chunk::<4>());
            list.extend(each.map(|chunk| f64::from(f32::from_le_bytes(*chunk))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Fields, Malformed, Value};

    #[test]
    fn the_encoding_guides_examples_are_read() {
        // protobuf.dev/programming-guides/encoding: field 1 = 150; field 2 = "testing".
        let bytes = [0x08, 0x96, 0x01, 0x12, 0x07, b't', b'e', b's', b't', b'i', b'n', b'g'];
        let mut fields = Fields::new(&bytes);
        assert!(matches!(fields.next(), Some(Ok((1, Value::Number(150))))));
        let Some(Ok((2, text))) = fields.next() else { panic!("a second field") };
        assert_eq!(text.text(), Ok("testing"));
        assert!(fields.next().is_none());
        // −2 takes ten bytes.
        let minus = [0x08, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        let Some(Ok((1, number))) = Fields::new(&minus).next() else { panic!("a field") };
        assert_eq!(number.number(), Ok(-2));
    }

    #[test]
    fn a_length_beyond_the_end_is_malformed() {
        let mut fields = Fields::new(&[0x12, 0x7f, 1]);
        assert!(matches!(fields.next(), Some(Err(Malformed))));
        assert!(fields.next().is_none());
        assert!(matches!(Fields::new(&[0xff; 11]).next(), Some(Err(Malformed))));
    }
}
