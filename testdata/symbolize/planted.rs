// The planted program in Rust: generics, a trait, a closure, an inlined function.
use std::ffi::{c_char, CString};

extern "C" {
    fn record(chain: *const c_char, line: u32);
    fn write_record(argc: i32, argv: *const *const c_char) -> i32;
}

macro_rules! plant {
    ($chain:literal) => {
        unsafe {
            record(concat!($chain, "\0").as_ptr() as *const c_char, line!());
            std::arch::asm!("");
        }
    };
}

trait Animal {
    fn speak(&self);
}

struct Cat;

impl Animal for Cat {
    #[inline(never)]
    fn speak(&self) {
        plant!("<planted::Cat as planted::Animal>::speak");
    }
}

#[inline(always)]
fn inner() {
    plant!("planted::inner;planted::outer");
}

#[inline(never)]
fn outer() {
    inner();
    plant!("planted::outer");
}

#[inline(never)]
fn generic<T: Copy>(value: T) -> T {
    plant!("planted::generic");
    value
}

#[inline(never)]
fn call<F: Fn(i32)>(run: F) {
    run(1);
    plant!("planted::call");
}

fn main() {
    outer();
    Cat.speak();
    generic(1u8);
    generic(1.0f64);
    call(
        #[inline(never)]
        |_| plant!("planted::main::{{closure}}"),
    );
    let arguments: Vec<CString> = std::env::args().map(|a| CString::new(a).unwrap()).collect();
    let pointers: Vec<*const c_char> = arguments.iter().map(|a| a.as_ptr()).collect();
    std::process::exit(unsafe { write_record(pointers.len() as i32, pointers.as_ptr()) });
}
